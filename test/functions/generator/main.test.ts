/** The generator function as it starts from its environment: which model draws for whom, with the key that it needs. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { untimed } from '../../../lambda/aws/dynamodb';
import { settings } from '../../../lambda/functions/generator/settings';
import { acquire, readGeneration } from '../../../lambda/generation/generations';
import { createLocalAws } from '../../../local/aws';
import { aGenerationJob } from '../../fakes/ai';
import { imageKey } from '../../fakes/branded';
import { aroundFunctions, started } from '../started';

const folder = mkdtempSync(join(tmpdir(), 'generator-'));
afterAll(() => rmSync(folder, { recursive: true }));
const drawn = sharp({ create: { width: 64, height: 36, channels: 3, background: 'red' } }).png();
const aws = createLocalAws({ secret: () => '{"server":"s3cret"}', onFailure: () => undefined });
/** Path and key of each request for an image. */
const asked: (readonly (string | undefined)[])[] = [];
const around = aroundFunctions(async (request, response) => {
  const { url, headers } = request;
  if (headers['x-amz-target'] !== undefined) return aws.answer(request, response);
  asked.push([url, headers.authorization]);
  if (url === '/drawn.png')
    return response.setHeader('Content-Type', 'image/png').end(await drawn.toBuffer());
  return response.end(JSON.stringify({ data: [{ url: `${around.address}/drawn.png` }] }));
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
    IMAGE_STORE: pathToFileURL(folder).href,
    PROVIDER_SECRET_ID: 'keys',
    GENERATOR: JSON.stringify({
      kind: 'openai-compatible',
      baseUrl: `${around.address}/v1`,
      model: 'm',
      apiKeyName: 'server',
    }),
    ...changes,
  });
  const key = imageKey(`G#${mode}#acc_${Object.keys(changes).length}#private#${'0'.repeat(64)}`);
  const { database, tableNames: tables } = around.engine;
  const services = { ...untimed(database), tables };
  await acquire(services, key, aGenerationJob.execution);
  asked.length = 0;
  await generate({ ...aGenerationJob, key }, { getRemainingTimeInMillis: () => 30_000 });
  expect(asked).toEqual(requests);
  expect(await readGeneration(services, key)).toMatchObject({ state: 'ready' });
});
