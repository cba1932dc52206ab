/** Measures the local service: new images, a page of 24, and known images while another account floods. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { PlanName } from '../../lambda/contract/plans';
import { startService } from '../../test/e2e/local-service';
import { comparePairs, type Row, spentOn } from './pairs';

/** Has the service print its CPU so far at each signal, in milliseconds. */
const NODE_OPTIONS =
  "--import=data:text/javascript,process.on('SIGUSR2',()=>{const{user,system}=process.cpuUsage();console.log((user+system)/1e3)})";

/** Words of a query that was never requested. */
const newWords = () => `lake ${(count++).toString(36)}`;
let count = 0;
const pageOf24 = Array.from({ length: 24 }, (_, i) => `mountain lake seed ${i}`);
const imagePath = (query: string, provider = 'stock_a') =>
  `/api/image?${new URLSearchParams({ query, provider, width: '800', height: '600' })}`;

/** Measures new images, and a page in one call, beside known images one by one; no provider limits them. */
export async function measureService(): Promise<readonly Row[]> {
  const options = ['--memory', '--fake-providers', '--bind', 'stock_a=unsplash'];
  const environment = {
    PROVIDER_QUOTAS: '{"unsplash":{"perHour":1e6}}',
    PATIENCE: '1',
    AT_ONCE: '',
    NODE_OPTIONS,
  };
  const { url, keys, stop, process } = await startService(options, environment);
  // The CPU of the service alone: sending a request costs the same for any image.
  const cpuOf = spentOn(async () => {
    process.kill('SIGUSR2');
    return Number((await once(process.stdout as NodeJS.ReadableStream, 'data'))[0]);
  });
  const send = async (plan: PlanName, path: string, body?: object) => {
    const headers = { 'x-api-key': keys[plan].live, 'content-type': 'application/json' };
    const post = body && { method: 'POST', body: JSON.stringify(body) };
    // A request that finds no connection free has no status.
    const response = await fetch(url + path, { headers, redirect: 'manual', ...post }).catch(() => undefined);
    await response?.arrayBuffer();
    return response?.status ?? 0;
  };
  const each = (words: (known: string) => string) => async () => {
    for (const known of pageOf24) assert.equal(await send('business', imagePath(words(known))), 302);
  };
  const known = each((words) => words);
  const images = pageOf24.map((slot) => ({ slot, query: slot, source: 'stock_a', width: 800, height: 600 }));
  const page = async () => assert.equal(await send('business', '/api/images', { images }), 200);
  try {
    for (let i = 0; i < 40; i++) await known();
    return [
      await comparePairs('miss', { bound: 8, count: 9 }, [cpuOf(each(newWords)), cpuOf(known)]),
      await comparePairs('page of 24', { bound: 1, count: 9 }, [cpuOf(page), cpuOf(known)]),
      await measureFlood(send),
    ];
  } finally {
    await stop('SIGKILL');
  }
}

/** Measures the 99th percentile of known images in a flood by another account, beside a quiet time. */
async function measureFlood(send: (plan: PlanName, path: string) => Promise<number>): Promise<Row> {
  /** Requests a known image every 50 ms. A request that fails counts as ten seconds. */
  const visit = async (seconds: number) => {
    const tookMs = await paced(seconds, 20, async () => {
      const startMs = performance.now();
      const status = await send('business', imagePath('mountain lake seed 0'));
      return status === 302 ? performance.now() - startMs : 10_000;
    });
    return tookMs.sort((a, b) => a - b)[Math.floor(tookMs.length * 0.99)] ?? Number.NaN;
  };
  // The first AI image loads what draws it.
  assert.equal(await send('enterprise', imagePath(newWords(), 'ai')), 302);
  const least = await visit(15);
  assert.ok(least < 10_000, 'Known images are not shown in a quiet time either');
  // Refused requests are part of the load. Those that are unanswered after a minute are not waited for.
  void paced(60, 100, () => send('enterprise', imagePath(newWords())));
  void paced(60, 10, () => send('enterprise', imagePath(newWords(), 'ai')));
  const ratio = (await visit(60)) / least;
  return { name: 'flood: p99', ratio, bound: 3, ok: ratio <= 3 };
}

/** Starts work so many times a second, whether or not earlier work has ended. */
async function paced<T>(seconds: number, perSecond: number, start: () => Promise<T>): Promise<T[]> {
  const all: Promise<T>[] = [];
  const beganMs = performance.now();
  while (all.length < seconds * perSecond) {
    while (all.length < ((performance.now() - beganMs) / 1_000) * perSecond) all.push(start());
    await setTimeout(5);
  }
  return Promise.all(all);
}
