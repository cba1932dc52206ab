/** Known images of the local service: compared with a bare server, and during a flood by another account. */

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startService } from '../../test/e2e/local-service';
import { comparePairs, type Row } from './pairs';
import { imagePath, repeat, requestImage } from './requests';

const requestsPerSample = 200;
const floodBound = 3;

export async function measureLocalService(): Promise<readonly Row[]> {
  const options = ['--memory', '--fake-providers', '--bind', 'stock_a=unsplash'];
  const environment = { PROVIDER_QUOTAS: '{"unsplash":{"perHour":1e6}}', PATIENCE: '1', AT_ONCE: '' };
  const { url, keys } = await startService(options, environment, { endsWithParent: true });
  const key = keys.business.live;
  return [
    await compareWithBareServer(url, key),
    await measureFlood(url, key, { floodingKey: keys.enterprise.live }),
  ];
}

/** Compares the time of requests, one after the other, with a server that only redirects. */
async function compareWithBareServer(url: string, key: string): Promise<Row> {
  const bareServer = createServer((_, response) => response.writeHead(302, { Location: '/' }).end());
  await once(bareServer.listen(0, '127.0.0.1'), 'listening');
  bareServer.unref();
  const { port } = bareServer.address() as AddressInfo;
  const timeRequests = (origin: string) => async () => {
    const startMs = performance.now();
    for (let i = 0; i < requestsPerSample; i++)
      assert.equal(await requestImage(origin + imagePath('lake'), key), 302);
    return performance.now() - startMs;
  };
  return comparePairs('known image: local service', { bound: 20, count: 9 }, [
    timeRequests(url),
    timeRequests(`http://127.0.0.1:${port}`),
  ]);
}

/** Compares the 99th percentile of known images in a quiet time and during the flood of another key. */
async function measureFlood(
  url: string,
  key: string,
  { floodingKey }: { readonly floodingKey: string },
): Promise<Row> {
  /** Requests a known image every 50 ms. A request that fails counts as ten seconds. */
  const measureP99 = async (seconds: number) => {
    const durationsMs = await repeat(seconds, 20, async () => {
      const startMs = performance.now();
      const status = await requestImage(url + imagePath('lake'), key);
      return status === 302 ? performance.now() - startMs : 10_000;
    });
    return durationsMs.sort((a, b) => a - b)[Math.floor(durationsMs.length * 0.99)] ?? Number.NaN;
  };
  // The first AI image loads the code that draws.
  assert.equal(await requestImage(url + imagePath('lake', 'ai'), floodingKey), 302);
  const quietMs = await measureP99(30);
  assert.ok(quietMs < 10_000, 'Known images are not shown in a quiet time either');
  const flood = fork(join(__dirname, 'requests.ts'), [url, floodingKey]);
  try {
    await once(flood, 'message');
    const ratio = (await measureP99(60)) / quietMs;
    return { name: 'flood: p99', ratio, bound: floodBound, ok: ratio <= floodBound };
  } finally {
    flood.kill();
  }
}
