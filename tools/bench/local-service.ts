/** Measures known images of the local service beside a server that does nothing but redirect. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startService } from '../../test/e2e/local-service';
import { comparePairs, type Row } from './pairs';

const requestsPerSample = 200;

/** Measures the time of requests, one after the other. */
export async function measureLocalService(): Promise<Row> {
  const service = await startService(['--memory'], {}, { endsWithParent: true });
  const bareServer = createServer((_, response) => response.writeHead(302, { Location: '/' }).end());
  await once(bareServer.listen(0, '127.0.0.1'), 'listening');
  const { port } = bareServer.address() as AddressInfo;
  const headers = { 'x-api-key': service.keys.enterprise.live };
  const timeRequests = (origin: string) => async () => {
    const startMs = performance.now();
    for (let i = 0; i < requestsPerSample; i++) {
      const response = await fetch(`${origin}/api/image/800x600-lake`, { headers, redirect: 'manual' });
      assert.equal(response.status, 302);
      await response.arrayBuffer();
    }
    return performance.now() - startMs;
  };
  bareServer.unref();
  return comparePairs('known image: local service', { bound: 20, count: 9 }, [
    timeRequests(service.url),
    timeRequests(`http://127.0.0.1:${port}`),
  ]);
}
