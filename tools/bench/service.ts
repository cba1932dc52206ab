/** Rows of the whole service on this machine: an image that is new, a page of 24, and known images while another account floods. */

import { once } from 'node:events';
import { join } from 'node:path';
import type { PlanName } from '../../lambda/contract/plans';
import { projectRoot } from '../../lib/functions/bundle';
import { ask, comparePairs, quantile, type Row, startChild } from './pairs';

/** Preloaded: answers each message with the CPU of its process so far, in milliseconds. */
const reporter =
  'data:text/javascript,process.on("message",()=>{const{user,system}=process.cpuUsage();process.send((user+system)/1000)})';

interface Started {
  readonly url: string;
  readonly keys: Readonly<Record<PlanName, { readonly live: string }>>;
}

/** A service whose images are delivered by a fake provider on this machine, which grants any number of searches. */
async function startService() {
  const child = startChild(
    join(projectRoot, 'bin/image-redirect.ts'),
    ['start', '--memory', '--port', '0', '--json', '--fake-providers', '--bind', 'stock_a=unsplash'],
    { PROVIDER_QUOTAS: '{"unsplash":{"perHour":1000000}}' },
    ['--import', 'tsx', '--import', reporter],
  );
  const [line] = (await once(child.stdout?.setEncoding('utf8') as NodeJS.ReadableStream, 'data')) as [string];
  const { url, keys } = JSON.parse(line) as Started;
  const send = async (plan: PlanName, path: string, body?: object) => {
    const headers = { 'x-api-key': keys[plan].live, ...(body && { 'content-type': 'application/json' }) };
    const post = body && { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${url}${path}`, { headers, redirect: 'manual', ...post });
    await response.arrayBuffer();
    return response.status;
  };
  let count = 0;
  return {
    send,
    /** Words that nobody has asked for, so that nothing is known of them. */
    newWords: () => `lake ${(count++).toString(36)}`,
    /** CPU of the service while something is done, in milliseconds. */
    async cpuOf(work: () => Promise<unknown>) {
      const before = await ask<number>(child, 0);
      await work();
      return (await ask<number>(child, 0)) - before;
    },
    stop: () => child.kill('SIGKILL'),
  };
}
type Service = Awaited<ReturnType<typeof startService>>;

const pageOf24 = Array.from({ length: 24 }, (_, i) => `mountain lake seed ${i}`);
const imagePath = (query: string, provider = 'stock_a') =>
  `/api/image?${new URLSearchParams({ query, provider, width: '800', height: '600' })}`;

/** What an image costs that was never asked for, and a page in one call, each beside known images one by one. */
export async function measureService(): Promise<readonly Row[]> {
  const service = await startService();
  const { send, newWords, cpuOf } = service;
  const known = async () => {
    for (const query of pageOf24) expectStatus(302, await send('business', imagePath(query)));
  };
  const images = pageOf24.map((query, i) => ({
    ...{ slot: `s${i}`, query, source: 'stock_a', width: 800, height: 600 },
  }));
  const missing = async () => {
    for (let i = 0; i < 24; i++) expectStatus(302, await send('business', imagePath(newWords())));
  };
  try {
    for (let i = 0; i < 40; i++) await known();
    const least = () => cpuOf(known);
    return [
      await comparePairs({
        name: 'miss: a new image beside a known one',
        ...{ bound: 8, count: 9, least, measured: () => cpuOf(missing) },
      }),
      await comparePairs({
        name: 'page of 24: one call beside 24 known images',
        ...{ bound: 1, count: 9, least },
        measured: () =>
          cpuOf(async () => expectStatus(200, await send('business', '/api/images', { images }))),
      }),
      await measureFlood(service),
    ];
  } finally {
    service.stop();
  }
}

/** Seconds of the flood, and what it asks for in each. */
const flood = { seconds: 60, searches: 100, generations: 10 } as const;

/** How long 99 % of an account's known images take at most while another account asks for new ones, beside a quiet time. */
async function measureFlood({ send, newWords }: Service): Promise<Row> {
  /** One known image every 50 ms. @returns milliseconds of each */
  const visit = async (seconds: number) => {
    const tookMs = await paced(seconds, 20, async () => {
      const startMs = performance.now();
      expectStatus(302, await send('business', imagePath('mountain lake seed 0')));
      return performance.now() - startMs;
    });
    return quantile(tookMs, 0.99);
  };
  const least = await visit(flood.seconds / 4);
  // What is refused, or finds no connection free, is part of the load.
  const ask = (provider: string) => send('enterprise', imagePath(newWords(), provider)).catch(() => 0);
  const flooding = [
    paced(flood.seconds, flood.searches, () => ask('stock_a')),
    paced(flood.seconds, flood.generations, () => ask('ai')),
  ];
  const measured = await visit(flood.seconds);
  await Promise.all(flooding);
  const [name, bound, ratio] = ['flood: p99 of known images', 3, measured / least] as const;
  return { name, measured, least, unit: 'ms', ratio, bound, ok: ratio <= bound };
}

/** Starts so many a second, whether or not the ones before have ended. */
async function paced<T>(seconds: number, perSecond: number, start: () => Promise<T>): Promise<T[]> {
  const all: Promise<T>[] = [];
  const beganMs = performance.now();
  while (all.length < seconds * perSecond) {
    const due = Math.min(seconds, (performance.now() - beganMs) / 1_000) * perSecond;
    while (all.length < due) all.push(start());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return Promise.all(all);
}

/** @throws `Error` for a response of another status: it would not be what is measured */
function expectStatus(expected: number, status: number): void {
  if (status !== expected) throw new Error(`Expected ${expected}, got ${status}`);
}
