/** The generator function as it starts from its environment: which model draws for whom, with the key that it needs. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { connectDynamoDb } from '../../../lambda/aws/dynamodb/connect';
import { tableVariables } from '../../../lambda/contract/environment';
import { settings } from '../../../lambda/functions/generator/settings';
import { createGenerationIndex } from '../../../lambda/generation/dynamodb/generation-index';
import { imageIdOf } from '../../../lambda/generation/generation-identity';
import { aGenerationJob } from '../../fakes/ai';
import { imageKey } from '../../fakes/branded';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';
import { aroundFunctions, started } from '../started';

aroundFunctions();
let folder: string;
let aws: Loopback;
/** Path and key of each request for an image. */
const asked: (readonly (string | undefined)[])[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'generator-'));
  const drawn = await sharp({ create: { width: 64, height: 36, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  aws = await listenOnLoopback(({ url, headers }, response) => {
    if (headers['x-amz-target'] === 'secretsmanager.GetSecretValue')
      return response.end(JSON.stringify({ SecretString: '{"server":"s3cret"}' }));
    asked.push([url, headers.authorization]);
    if (url === '/drawn.png') return response.setHeader('Content-Type', 'image/png').end(drawn);
    return response.end(JSON.stringify({ data: [{ url: `${aws.address}/drawn.png` }] }));
  });
});
afterAll(async () => {
  await aws.stop();
  rmSync(folder, { recursive: true });
});

const byServer = [
  ['/v1/images/generations', 'Bearer s3cret'],
  ['/drawn.png', undefined],
];

test.each([
  ['a live key', 'live', {}, byServer],
  ['a test key', 'test', {}, []],
  ['a test key where these generate', 'test', { TEST_KEYS_GENERATE: 'on' }, byServer],
])('the image of %s is drawn', async (_, mode, changes, requests) => {
  const generate = await started(() => import('../../../lambda/functions/generator/main'), settings, {
    AWS_ENDPOINT_URL: aws.address,
    IMAGE_STORE: pathToFileURL(folder).href,
    PROVIDER_SECRET_ID: 'keys',
    GENERATOR: JSON.stringify({
      kind: 'openai-compatible',
      baseUrl: `${aws.address}/v1`,
      model: 'm',
      apiKeyName: 'server',
    }),
    ...changes,
  });
  const nowMs = Date.now();
  const key = imageKey(`G#${mode}#acc_${Object.keys(changes).length}#private#${'0'.repeat(64)}`);
  const lease = { ...aGenerationJob.lease, key };
  const table = process.env[tableVariables.generationIndex] ?? '';
  const index = createGenerationIndex(connectDynamoDb(process.env, Date.now), table);
  const { execution } = lease;
  const imageId = imageIdOf(key);
  await index.acquire({ key, execution, imageId, nowMs, leaseEndsMs: nowMs + 60_000 });
  asked.length = 0;
  await generate({ ...aGenerationJob, lease }, { getRemainingTimeInMillis: () => 30_000 });
  expect(asked).toEqual(requests);
  expect(await index.read(key)).toMatchObject({ state: 'READY' });
});
