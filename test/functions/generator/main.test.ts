/** The generator function, started from its environment: its models and their keys. */

import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { createToolServices } from '../../../lambda/aws/dynamodb';
import { generatorSettings as settings } from '../../../lambda/functions/generator/settings';
import { acquireImage, readAiImage } from '../../../lambda/generation/ai-image-store';
import { makeTestFolder } from '../../fakes/fixture';
import { generationJob, makeImageKey } from '../../fakes/values';
import { startFunction, startSurroundings } from '../started';

const folder = makeTestFolder();
const drawing = sharp({ create: { width: 64, height: 36, channels: 3, background: 'red' } }).png();
/** The path and key of each request to the model. */
const modelRequests: (readonly (string | undefined)[])[] = [];
const surroundings = startSurroundings(async (request, response) => {
  const { url, headers } = request;
  modelRequests.push([url, headers.authorization]);
  if (url === '/drawn.png')
    return response.setHeader('Content-Type', 'image/png').end(await drawing.toBuffer());
  return response.end(JSON.stringify({ data: [{ url: `${surroundings.address}/drawn.png` }] }));
}, '{"server":"s3cret"}');

const byServer = [
  ['/v1/images/generations', 'Bearer s3cret'],
  ['/drawn.png', undefined],
];

test.each([
  ['live', byServer],
  ['test', []],
])('the image of a %s key is drawn by its model', async (mode, requests) => {
  const generate = await startFunction(() => import('../../../lambda/functions/generator/main'), settings, {
    IMAGE_STORE: pathToFileURL(folder).href,
    PROVIDER_SECRET_ID: 'keys',
    GENERATOR: JSON.stringify({
      kind: 'openai-compatible',
      baseUrl: `${surroundings.address}/v1`,
      model: 'm',
      apiKeyName: 'server',
    }),
  });
  const key = makeImageKey(`G#${mode}#acc_0#private#${'0'.repeat(64)}`);
  const { database, tableNames: tables } = surroundings.engine;
  const services = { ...createToolServices(database), tables };
  await acquireImage(services, { key, generationId: generationJob.generationId });
  modelRequests.length = 0;
  await generate({ ...generationJob, key }, { getRemainingTimeInMillis: () => 30_000 });
  expect(modelRequests).toEqual(requests);
  expect(await readAiImage(services, key)).toMatchObject({ state: 'ready' });
});

test('a generation is logged as unfinished if its table does not answer', async () => {
  const log = process.stderr.write as jest.MockedFunction<typeof process.stderr.write>;
  const generate = await startFunction(() => import('../../../lambda/functions/generator/main'), settings, {
    GENERATOR: '{"kind":"sandbox"}',
    GENERATION_INDEX_TABLE: 'none',
  });
  await expect(generate(generationJob, { getRemainingTimeInMillis: () => 30_000 })).rejects.toThrow();
  expect(String(log.mock.lastCall?.[0])).toContain('A generation was left unfinished');
});
