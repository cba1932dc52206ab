/** Measures the local service: new images, a page of 24, and known images while another account floods. */

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startService } from '../../test/e2e/local-service';
import { comparePairs, type Row, spentOn } from './pairs';
import { imagePath, newWords, repeat, send } from './requests';

/** Has the service print its CPU so far at each signal, in milliseconds. */
const NODE_OPTIONS =
  "--import=data:text/javascript,process.on('SIGUSR2',()=>{const{user,system}=process.cpuUsage();console.log((user+system)/1e3)})";

const pageOf24 = Array.from({ length: 24 }, (_, i) => `mountain lake seed ${i}`);

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
  const key = keys.business.live;
  const loadEach = (words: (known: string) => string) => async () => {
    for (const known of pageOf24) assert.equal(await send(url + imagePath(words(known)), key), 302);
  };
  const known = loadEach((words) => words);
  const images = pageOf24.map((slot) => ({ slot, query: slot, source: 'stock_a', width: 800, height: 600 }));
  const page = async () => assert.equal(await send(`${url}/api/images`, key, { images }), 200);
  try {
    for (let i = 0; i < 40; i++) await known();
    return [
      await comparePairs('miss', { bound: 8, count: 9 }, [cpuOf(loadEach(newWords)), cpuOf(known)]),
      await comparePairs('page of 24', { bound: 1, count: 9 }, [cpuOf(page), cpuOf(known)]),
      await measureFlood(url, key, keys.enterprise.live),
    ];
  } finally {
    await stop('SIGKILL');
  }
}

/** Measures the 99th percentile of known images while another key floods the service, beside a quiet time. */
async function measureFlood(url: string, key: string, floodingKey: string): Promise<Row> {
  /** Requests a known image every 50 ms. A request that fails counts as ten seconds. */
  const visit = async (seconds: number) => {
    const tookMs = await repeat(seconds, 20, async () => {
      const startMs = performance.now();
      const status = await send(url + imagePath('mountain lake seed 0'), key);
      return status === 302 ? performance.now() - startMs : 10_000;
    });
    return tookMs.sort((a, b) => a - b)[Math.floor(tookMs.length * 0.99)] ?? Number.NaN;
  };
  // The first AI image loads what draws it.
  assert.equal(await send(url + imagePath(newWords(), 'ai'), floodingKey), 302);
  const quietMs = await visit(30);
  assert.ok(quietMs < 10_000, 'Known images are not shown in a quiet time either');
  const flood = fork(join(__dirname, 'flood.ts'), [url, floodingKey]);
  try {
    await once(flood, 'message');
    const ratio = (await visit(60)) / quietMs;
    return { name: 'flood: p99', ratio, bound: 3, ok: ratio <= 3 };
  } finally {
    flood.kill();
  }
}
