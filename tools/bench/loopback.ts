/** A fake DynamoDB over TLS that answers at once, so that only the client is measured, and the functions' environment with it. */

import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableVariables, variables } from '../../lambda/contract/environment';
import { tiers } from '../../lambda/contract/plans';
import type { DeliveryUrl, ServedImage } from '../../lambda/images/image';
import { serverCertificate } from '../server-certificate';

/** The known image of every query. */
const image: ServedImage = {
  location: 'https://images.example.org/r/5d/5d41402abc4b2a76b9719d911017c592-1080x1350.jpeg' as DeliveryUrl,
  widthPx: 1080,
  heightPx: 1350,
  source: 'stock_a',
  attribution: {
    providerName: 'Openverse',
    creator: 'Ana Example',
    landingUrl: 'https://photos.example.org/1234567890',
    license: { id: 'cc-by-4.0', name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
    creditLine: '"Café terrace" by Ana Example, CC BY 4.0, via Openverse',
  },
};

/** In the year 2090, in milliseconds. */
const far = '3786912000000';

/** Answers in DynamoDB's JSON: a counter, the known image, and an API key. */
const answers = {
  charge: {
    Attributes: { taken: { N: '17' }, spent: { N: '17' }, held: { N: '0' }, ttl: { N: '3786912000' } },
  },
  image: {
    Item: {
      pk: { S: 'R#1' },
      value: { S: JSON.stringify({ image, provider: 'openverse', endsMs: Number(far) }) },
      freshUntilMs: { N: far },
      staleUntilMs: { N: far },
      ttl: { N: '3786912000' },
    },
  },
  key: {
    Item: {
      pk: { S: 'K#1' },
      keyId: { S: 'key_demo_live' },
      account: { S: 'acct_demo' },
      mode: { S: 'live' },
      plan: { S: 'free' },
      name: { S: 'demo' },
      createdAt: { S: '2026-01-01T00:00:00Z' },
    },
  },
} as const;

/** The providers of the measured functions. */
const slotBindings = { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'sandbox' } as const;

/** The running fake, with the environment that leads to it. */
export interface Loopback {
  /** Of the functions and of the programs that they are compared with. */
  readonly environment: Readonly<Record<string, string>>;
  stop(): void;
}

/** Starts it on a free port, with a certificate of its own. */
export async function startLoopback(): Promise<Loopback> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const { certificateFile, keyFile } = serverCertificate([], folder);
  const tls = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) };
  const bodies = {
    charge: JSON.stringify(answers.charge),
    key: JSON.stringify(answers.key),
    image: JSON.stringify(answers.image),
  };
  const server = createServer(tls, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const isWrite = String(request.headers['x-amz-target']).endsWith('UpdateItem');
    const isKey = body.includes('"TableName":"apiKeys"');
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': 'REQUEST' });
    const isImage = /"(R|ANSWER)#/.test(body);
    response.end(isWrite ? bodies.charge : isKey ? bodies.key : isImage ? bodies.image : '{}');
  });
  // A function keeps its connections while it is measured.
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    environment: {
      ...Object.fromEntries(Object.entries(tableVariables).map(([table, variable]) => [variable, table])),
      [variables.tierKeys]: JSON.stringify(Object.fromEntries(tiers.map((tier) => [tier, `tier${tier}`]))),
      [variables.slotBindings]: JSON.stringify(slotBindings),
      [variables.addressSecretId]: 'AddressSecret',
      [variables.imageBaseUrl]: 'https://images.example.org',
      [variables.imageStore]: 's3://bench-images',
      [variables.rendererFunction]: 'RendererFunction',
      [variables.generatorFunction]: 'GeneratorFunction',
      [variables.signingSecretId]: 'SigningSecret',
      [variables.signerSecretId]: 'SignerSecret',
      [variables.signingKeyPairId]: 'KEYPAIR',
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
