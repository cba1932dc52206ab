/** Starts a fake DynamoDB over TLS. It responds at once, so that the bench measures only the client. */

import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { tableVariables } from '../../lambda/contract/tables';
import { apiSettings } from '../../lambda/services/settings';
import { makeServerCertificate } from '../server-certificate';

const endMs = 3_786_912_000_000;
const attribution = {
  ...{ providerName: 'Openverse', creator: 'Ana', landingUrl: 'https://photos.example.org/1234567890' },
  license: { id: 'cc-by-4.0', name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
  creditLine: '"Café terrace" by Ana, CC BY 4.0, via Openverse',
};
const location = 'https://images.example.org/r/5d/5d41402abc4b2a76b9719d911017c592-1080x1350.jpeg';
const image = { location, widthPx: 1_080, heightPx: 1_350, source: 'stock_a', attribution };
const value = JSON.stringify({ image, provider: 'openverse', endsMs: endMs });
const key = { keyId: 'key_1', account: 'acct_1', mode: 'live', plan: 'free', createdAt: '2026-01-01' };

/** The responses by a pattern of the request: a counter, an API key, or one known image for every query. */
const responses: readonly (readonly [RegExp, object])[] = [
  [/UpdateExpression/, { Attributes: marshall({ taken: 17, ttl: endMs / 1_000 }) }],
  [/"K#/, { Item: marshall(key) }],
  [
    /"(R|ANSWER)#/,
    { Item: marshall({ value, freshUntilMs: endMs, staleUntilMs: endMs, ttl: endMs / 1_000 }) },
  ],
];

/** Starts the fake on a free port. Returns the environment that leads functions and programs to it. */
export async function startLoopback() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const { certificateFile, keyFile } = makeServerCertificate(folder);
  const tls = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
  const server = createServer(tls, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': 'REQUEST' });
    response.end(JSON.stringify(responses.find(([pattern]) => pattern.test(body))?.[1] ?? {}));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const names = Object.keys(apiSettings).filter((name) => /_(FUNCTION|ID)$/.test(name));
  const environment = {
    ...Object.fromEntries(names.map((name) => [name, 'any'])),
    ...Object.fromEntries(Object.values(tableVariables).map((name) => [name, name])),
    TIER_KEYS: '{"anonymous":"a","test":"t","free":"f","pro":"p","business":"b","enterprise":"e"}',
    SLOT_BINDINGS: '{"stock_a":"openverse","stock_b":"wikimedia","stock_c":"sandbox"}',
    IMAGE_BASE_URL: 'https://images.example.org',
    IMAGE_STORE: 's3://bench-images',
    AWS_ENDPOINT_URL_DYNAMODB: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_REGION: 'us-east-1',
    // Lambda sets a session token too, which is signed and sent.
    AWS_ACCESS_KEY_ID: 'BENCH',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_SESSION_TOKEN: 'bench'.repeat(120),
    NODE_EXTRA_CA_CERTS: certificateFile,
  };
  const stop = () => {
    server.close();
    rmSync(folder, { recursive: true });
  };
  return { environment, stop };
}
