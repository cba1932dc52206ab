/** The generators as they are made from settings: which model is asked where, and how. */

import type { IncomingMessage } from 'node:http';
import { readGeneratorSettings } from '../../../lambda/contract/generators';
import { createGenerator, createModelFor } from '../../../lambda/generation/models/generators';
import * as codec from '../../../lambda/images/sharp/sharp-codec';
import { ask } from '../../contracts/generator';
import { aGenerationJob } from '../../fakes/ai';
import { reachAwsAt } from '../../fakes/aws-environment';
import { imageKey } from '../../fakes/branded';
import { jpeg } from '../../fakes/images';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';
import { createVirtualClock } from '../../fakes/virtual-clock';

const core = 'stability.stable-image-core-v1:1';
const never = new AbortController().signal;
const deps = {
  codec,
  clock: createVirtualClock(),
  fetchOriginal: () => Promise.reject(new Error('not asked')),
  readKey: async (name: string) => `key of ${name}`,
};
const created = (settings: object) => createGenerator(readGeneratorSettings(settings), deps);

let server: Loopback;
let leaveAws: (() => void) | undefined;
let seen: IncomingMessage[];
let isKnown: boolean;
beforeAll(async () => {
  const image = (await jpeg(64, 36)).toString('base64');
  server = await listenOnLoopback(async (request, response) => {
    await request.resume().toArray();
    seen.push(request);
    response.setHeader('content-type', 'application/json');
    if (request.url?.startsWith('/v1/')) response.end(JSON.stringify({ data: [{ b64_json: image }] }));
    else if (request.method === 'GET')
      response.end(JSON.stringify({ modelDetails: { modelLifecycle: { status: 'LEGACY' } } }));
    else if (isKnown) response.end(JSON.stringify({ finish_reasons: [null], images: [image] }));
    else response.writeHead(404, { 'x-amzn-errortype': 'ResourceNotFoundException' }).end('{}');
  });
  leaveAws = reachAwsAt(server.address);
});
beforeEach(() => {
  seen = [];
  isKnown = true;
});
afterAll(async () => {
  leaveAws?.();
  await server?.stop();
});

it('of Bedrock is asked by HTTP/1.1 in its region, and about a model that it does not know', async () => {
  const generator = await created({ kind: 'bedrock-stability', modelId: core, region: 'us-west-2' });
  expect(await generator.generate(ask, never)).toMatchObject({ outcome: 'image', model: core });
  isKnown = false;
  await expect(generator.generate(ask, never)).rejects.toMatchObject({ kind: 'legacy' });
  expect(
    seen.map(({ method, httpVersion, url = '' }) => [method, httpVersion, decodeURIComponent(url)]),
  ).toEqual([
    ['POST', '1.1', `/model/${core}/invoke`],
    ['POST', '1.1', `/model/${core}/invoke`],
    ['GET', '1.1', `/foundation-models/${core}`],
  ]);
  for (const { headers } of seen) expect(headers.authorization).toContain('/us-west-2/bedrock/');
});

it('of a server is asked with the key of its name', async () => {
  const baseUrl = `${server.address}/v1`;
  const generator = await created({ kind: 'openai-compatible', baseUrl, model: 'm', apiKeyName: 'openai' });
  expect(await generator.generate(ask, never)).toMatchObject({ outcome: 'image', model: 'm' });
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer key of openai']);
});

it('of the sandbox draws by itself', async () => {
  const generator = await created({ kind: 'sandbox', longSidePx: 256 });
  expect(await generator.generate(ask, never)).toMatchObject({ outcome: 'image', model: 'sandbox' });
  expect(seen).toEqual([]);
});

it.each([
  ['live', 'openai-compatible'],
  ['test', 'sandbox'],
] as const)('of a %s key is %s, and made once', async (mode, name) => {
  const baseUrl = `${server.address}/v1`;
  const configured = readGeneratorSettings({ kind: 'openai-compatible', baseUrl, model: 'm' });
  const modelFor = createModelFor(configured, deps);
  const asked = imageKey(aGenerationJob.key.replace('live', mode));
  const named = await modelFor(asked);
  expect(named.name).toBe(name);
  expect(await modelFor(asked)).toEqual(named);
  await named.generator.generate(ask, never);
  expect(seen).toHaveLength(name === 'sandbox' ? 0 : 1);
});

it('of a live key is as it is configured, also where test keys draw in a sandbox beside it', async () => {
  const modelFor = createModelFor(readGeneratorSettings({ kind: 'sandbox', refuse: ['lake'] }), deps);
  await modelFor(imageKey(aGenerationJob.key.replace('live', 'test')));
  const { generator } = await modelFor(aGenerationJob.key);
  expect(await generator.generate({ ...ask, words: 'lake' }, never)).toMatchObject({ outcome: 'refused' });
});
