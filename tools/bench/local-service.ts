/**
 * Known images of the local service: compared with a bare server, and during a flood by another account. Run as a
 * program, this file is the flood: one API key requests 100 new stock images and 10 new AI images a second for a
 * minute. A separate process does not delay the measured requests.
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

export async function measureLocalService(): Promise<readonly Row[]> {
  const options = ['--memory', '--fake-providers', '--bind', 'stock_a=unsplash'];
  const environment = { PROVIDER_QUOTAS: '{"unsplash":{"perHour":1e6}}', PATIENCE: '1', AT_ONCE: '' };
  const { url, keys } = await startService(options, environment, { endsWithParent: true });
  const requestKnownImage = () => requestImage(url, keys.business.live, 'lake');
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

/** Compares the time of requests, one after the other, with a server that only redirects. */
async function compareWithBareServer(requestKnownImage: () => Promise<number>): Promise<Row> {
  const bareServer = createServer((_, response) => response.writeHead(302, { Location: '/' }).end());
  await once(bareServer.listen(0, '127.0.0.1'), 'listening');
  bareServer.unref();
  const { port } = bareServer.address() as AddressInfo;
  const timeRequests = (request: () => Promise<number>) => async () => {
    const startMs = performance.now();
    for (let i = 0; i < requestsPerSample; i++) assert.equal(await request(), 302);
    return performance.now() - startMs;
  };
  return comparePairs('known image: local service', { bound: 20, count: 9 }, [
    timeRequests(requestKnownImage),
    timeRequests(() => requestImage(`http://127.0.0.1:${port}`, 'any', 'lake')),
  ]);
}

/** Compares the 99th percentile of known images in a quiet time and during the flood of another key. */
async function measureFlood(
  requestKnownImage: () => Promise<number>,
  url: string,
  floodingKey: string,
): Promise<Row> {
  /** Requests a known image every 50 ms. A request that fails counts as ten seconds. */
  const measureP99 = async (seconds: number) => {
    const durationsMs = await repeat(seconds, 20, async () => {
      const startMs = performance.now();
      return (await requestKnownImage()) === 302 ? performance.now() - startMs : 10_000;
    });
    return durationsMs.sort((a, b) => a - b)[Math.floor(durationsMs.length * 0.99)] ?? Number.NaN;
  };
  // The first AI image loads the code that draws.
  assert.equal(await requestImage(url, floodingKey, 'lake', 'ai'), 302);
  const quietMs = await measureP99(30);
  assert.ok(quietMs < 10_000, 'Known images are not shown in a quiet time either');
  const flood = fork(__filename, [url, floodingKey]);
  try {
    await once(flood, 'message');
    const ratio = (await measureP99(60)) / quietMs;
    return { name: 'flood: p99', ratio, bound: floodBound, ok: ratio <= floodBound };
  } finally {
    flood.kill();
  }
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
