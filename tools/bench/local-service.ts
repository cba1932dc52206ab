/**
 * Measures known images of the local service: beside a bare server, and during a flood by another account. Run as
 * a program, this file is the flood: one API key requests 100 new stock images and 10 new AI images a second for a
 * minute. The flood is a process of its own, because it would delay the measured requests.
 */

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { startService } from '../../test/e2e/local-service';
import { comparePairs, type Row } from './pairs';

const requestsPerSample = 200;
const floodBound = 3;
/** Requests of one key that the local service begins at once. A further one would wait for its own key. */
const atOnceMax = 6;

export async function measureLocalService(): Promise<readonly Row[]> {
  const options = ['--memory', '--fake-providers', '--bind', 'stock_a=unsplash'];
  const environment = { PROVIDER_QUOTAS: '{"unsplash":{"perHour":1e6}}', PATIENCE: '1', AT_ONCE: '' };
  const { url, keys } = await startService(options, environment, { endsWithParent: true });
  const requestKnownImage = () => requestImage(url, keys.business.live, 'lake');
  await awaitImage(requestKnownImage);
  return [
    await compareWithBareServer(requestKnownImage),
    await measureFlood(requestKnownImage, url, keys.enterprise.live),
  ];
}

/** Requests an image. Returns the status, or 0 without a response. */
async function requestImage(origin: string, key: string, query: string, provider = 'stock_a') {
  const search = new URLSearchParams({ query, provider, width: '800', height: '600' });
  const options = { headers: { 'x-api-key': key }, redirect: 'manual' } as const;
  const response = await fetch(`${origin}/api/image?${search}`, options).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status ?? 0;
}

/** Repeats a request until it is shown, because a slow machine may need several requests to make a new image. */
async function awaitImage(request: () => Promise<number>): Promise<void> {
  for (let attempt = 1; attempt < 10; attempt++) if ((await request()) === 302) return;
  assert.equal(await request(), 302);
}

/** Compares the time of requests, one after the other, with a server that only redirects. */
async function compareWithBareServer(requestKnownImage: () => Promise<number>): Promise<Row> {
  const bareServer = createServer((_, response) => response.writeHead(302, { Location: '/' }).end());
  await once(bareServer.listen(0, '127.0.0.1'), 'listening');
  bareServer.unref();
  const { port } = bareServer.address() as AddressInfo;
  const createRequestTimer = (request: () => Promise<number>) => async () => {
    const startMs = performance.now();
    for (let i = 0; i < requestsPerSample; i++) assert.equal(await request(), 302);
    return performance.now() - startMs;
  };
  return comparePairs('known image: local service', { bound: 20, count: 9 }, [
    createRequestTimer(requestKnownImage),
    createRequestTimer(() => requestImage(`http://127.0.0.1:${port}`, 'any', 'lake')),
  ]);
}

/** Compares the 99th percentile of known images in a quiet time and during the flood of another key. */
async function measureFlood(
  requestKnownImage: () => Promise<number>,
  url: string,
  floodingKey: string,
): Promise<Row> {
  // The first AI image loads the code that draws.
  await awaitImage(() => requestImage(url, floodingKey, 'lake', 'ai'));
  const quietMs = await measureP99(30, requestKnownImage);
  assert.ok(Number.isFinite(quietMs), 'More than one known image in a hundred fails in a quiet time');
  const flood = fork(__filename, [url, floodingKey]);
  try {
    await once(flood, 'message');
    const ratio = (await measureP99(60, requestKnownImage)) / quietMs;
    return { name: 'flood: p99', ratio, bound: floodBound, ok: ratio <= floodBound };
  } finally {
    flood.kill();
  }
}

/**
 * Measures the 99th percentile of requests, one every 50 ms. A failed request takes infinitely long. None is sent
 * while six run, because it would measure the queue of its own key.
 */
async function measureP99(seconds: number, request: () => Promise<number>): Promise<number> {
  let running = 0;
  const durationsMs = await repeat(seconds, 20, async () => {
    if (running === atOnceMax) return [];
    running += 1;
    const startMs = performance.now();
    const isShown = (await request()) === 302;
    running -= 1;
    return isShown ? performance.now() - startMs : Number.POSITIVE_INFINITY;
  });
  const sortedMs = durationsMs.flat().sort((a, b) => a - b);
  return sortedMs[Math.floor(sortedMs.length * 0.99)] ?? Number.NaN;
}

/** Starts work several times a second. It does not wait until earlier work has ended. */
async function repeat<T>(seconds: number, perSecond: number, start: () => Promise<T>): Promise<T[]> {
  const started: Promise<T>[] = [];
  const beganMs = performance.now();
  while (started.length < seconds * perSecond) {
    while (started.length < ((performance.now() - beganMs) / 1_000) * perSecond) started.push(start());
    await setTimeout(5);
  }
  return Promise.all(started);
}

function flood(url = '', key = ''): void {
  let count = 0;
  const requestNewImage = (provider: string) =>
    requestImage(url, key, `lake ${(count++).toString(36)}`, provider);
  process.send?.('The flood begins.');
  // Refused requests belong to the load.
  void repeat(60, 100, () => requestNewImage('stock_a'));
  void repeat(60, 10, () => requestNewImage('ai'));
}

if (require.main === module) flood(...process.argv.slice(2));
