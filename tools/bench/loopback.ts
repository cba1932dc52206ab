/** A fake DynamoDB over TLS that answers at once, so that only the client is measured, and the functions' environment with it. */

import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { tableVariables } from '../../lambda/contract/environment';
import { apiSettings } from '../../lambda/functions/settings';
import { serverCertificate } from '../server-certificate';

const far = 3_786_912_000_000;
const attribution = {
  providerName: 'Openverse',
  creator: 'Ana Example',
  landingUrl: 'https://photos.example.org/1234567890',
  license: { id: 'cc-by-4.0', name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
  creditLine: '"Café terrace" by Ana Example, CC BY 4.0, via Openverse',
};
const location = 'https://images.example.org/r/5d/5d41402abc4b2a76b9719d911017c592-1080x1350.jpeg';
const image = { location, widthPx: 1080, heightPx: 1350, source: 'stock_a', attribution };
const times = { freshUntilMs: far, staleUntilMs: far, ttl: far / 1_000 };
const key = { keyId: 'key_demo_live', account: 'acct_demo', mode: 'live', plan: 'free', name: 'demo' };

/** Answers in DynamoDB's JSON: a counter, the known image of every query, and an API key. */
const bodies = {
  charge: JSON.stringify({ Attributes: marshall({ taken: 17, ttl: far / 1_000 }) }),
  image: JSON.stringify({
    Item: marshall({ value: JSON.stringify({ image, provider: 'openverse', endsMs: far }), ...times }),
  }),
  key: JSON.stringify({ Item: marshall({ ...key, createdAt: '2026-01-01T00:00:00Z' }) }),
};

/** The running fake, with the environment that leads functions and programs to it. */
export interface Loopback {
  readonly environment: Readonly<Record<string, string>>;
  stop(): void;
}

/** Starts it on a free port, with a certificate of its own. */
export async function startLoopback(): Promise<Loopback> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const { certificateFile, keyFile } = serverCertificate([], folder);
  const tls = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
  const server = createServer(tls, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const isWrite = String(request.headers['x-amz-target']).endsWith('UpdateItem');
    const read = body.includes('"TableName":"apiKeys"') ? bodies.key : bodies.image;
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': 'REQUEST' });
    response.end(isWrite ? bodies.charge : /"(R|ANSWER|K)#/.test(body) ? read : '{}');
  });
  // A function keeps its connections while it is measured.
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bindings = { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'sandbox' };
  const names = Object.keys(apiSettings).map((name) => [name, 'any'] as const);
  return {
    environment: {
      ...Object.fromEntries(names.filter(([name]) => /_(FUNCTION|ID)$/.test(name))),
      ...Object.fromEntries(Object.entries(tableVariables).map(([table, variable]) => [variable, table])),
      TIER_KEYS: '{"anonymous":"a","test":"t","free":"f","pro":"p","business":"b","enterprise":"e"}',
      SLOT_BINDINGS: JSON.stringify(bindings),
      IMAGE_BASE_URL: 'https://images.example.org',
      IMAGE_STORE: 's3://bench-images',
      AWS_ENDPOINT_URL_DYNAMODB: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_REGION: 'us-east-1',
      // As Lambda sets them: with a token, which is signed and sent too.
      AWS_ACCESS_KEY_ID: 'BENCH',
      AWS_SECRET_ACCESS_KEY: 'bench',
      AWS_SESSION_TOKEN: 'bench'.repeat(120),
      AWS_LAMBDA_FUNCTION_NAME: 'function',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      LAMBDA_TASK_ROOT: '/var/task',
      NODE_EXTRA_CA_CERTS: certificateFile,
    },
    stop() {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
