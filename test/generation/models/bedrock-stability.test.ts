/** Stability's models over HTTP. The replies follow Bedrock's documentation. */

import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { readGeneratorSettings, type SettingsOfGenerator } from '../../../lambda/contract/generators';
import { openBedrockStability } from '../../../lambda/generation/models/bedrock-stability';
import type { ModelRequest } from '../../../lambda/generation/models/model';
import { openModel } from '../../../lambda/generation/models/open-model';
import { reachAwsAt } from '../../fakes/aws-environment';
import { makeJpeg } from '../../fakes/images';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';
import { drawWith, modelRequest } from './drawing';

const core = 'stability.stable-image-core-v1:1';
const sd35 = 'stability.sd3-5-large-v1:0';
const ultra = 'stability.stable-image-ultra-v1:1';

/** A reply: its status, its error name or body, and its message. */
type Scripted = readonly [status: number, answer: string | object, message?: string];

let server: Loopback;
let client: BedrockRuntimeClient;
let script: Scripted[];
let seen: {
  readonly path: string;
  readonly version: string;
  readonly signed: string | undefined;
  readonly body: Record<string, unknown>;
}[];
beforeAll(async () => {
  const image = (await makeJpeg(64, 36)).toString('base64');
  server = await listenOnLoopback(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    seen.push({
      path: decodeURIComponent(request.url ?? ''),
      version: request.httpVersion,
      signed: request.headers.authorization,
      body,
    });
    const [status, answer, message = 'scripted'] = script.shift() ?? [
      200,
      { seeds: [12345], finish_reasons: [null], images: [image] },
    ];
    const isError = typeof answer === 'string';
    const type = isError && { 'x-amzn-errortype': `${answer}:http://internal.amazon.com/coral/` };
    response.writeHead(status, { 'content-type': 'application/json', ...type });
    response.end(JSON.stringify(isError ? { message } : answer));
  });
  client = new BedrockRuntimeClient({
    endpoint: server.address,
    region: 'us-west-2',
    maxAttempts: 1,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestHandler: new NodeHttpHandler(),
  });
});
beforeEach(() => {
  script = [];
  seen = [];
});
afterAll(async () => {
  client.destroy();
  await server.stop();
});

const readSettings = (modelId: string) =>
  readGeneratorSettings({ kind: 'bedrock-stability', modelId }) as SettingsOfGenerator<'bedrock-stability'>;
const draw = (change: Partial<ModelRequest> = {}, modelId = core) =>
  drawWith(openBedrockStability(readSettings(modelId), client), change);

test('a request to Bedrock has the fields that the model documents', async () => {
  expect((await draw()).outcome).toBe('image');
  expect(seen).toMatchObject([{ path: `/model/${core}/invoke` }]);
  expect(seen[0]?.body).toEqual({
    prompt: modelRequest.prompt,
    negative_prompt: 'text, watermark',
    aspect_ratio: '16:9',
    seed: 12345,
    output_format: 'jpeg',
  });
});

test('the configured model is asked in its region by HTTP/1.1', async () => {
  const leaveAws = reachAwsAt(server.address);
  try {
    const deps = { codec: {}, readKey: () => undefined, fetchOriginal: () => undefined } as never;
    const model = await openModel(readSettings(core), deps);
    expect((await drawWith(model)).outcome).toBe('image');
    const signed = expect.stringContaining('/us-west-2/bedrock/');
    expect(seen).toMatchObject([{ version: '1.1', signed, path: `/model/${core}/invoke` }]);
  } finally {
    leaveAws();
  }
});

test.each([
  [core, undefined, false],
  [sd35, 'image-to-image', true],
  [ultra, undefined, true],
  ['us.stability.stable-image-ultra-v1:1', undefined, true],
  ['stability.something-new-v9:0', undefined, false],
])('%s starts a variation from the base image if it can', async (modelId, mode, starts) => {
  expect(openBedrockStability(readSettings(modelId), client).startsFromImages).toBe(starts);
  await draw({ base: Buffer.from('base'), variation: 2 }, modelId);
  const body = seen[0]?.body ?? {};
  expect([body['mode'], body['image'], body['aspect_ratio'], body['strength']]).toEqual(
    starts
      ? [mode, Buffer.from('base').toString('base64'), undefined, expect.any(Number)]
      : [undefined, undefined, '16:9', undefined],
  );
});

test('a variation has the same seed each time', async () => {
  for (const variation of [1, 2, 1]) await draw({ variation, seed: 4_294_967_294 });
  const [one, two, again] = seen.map(({ body }) => body['seed'] as number);
  expect([one === again, one === two]).toEqual([true, false]);
  expect(Math.max(one as number, two as number)).toBeLessThanOrEqual(4_294_967_294);
});

test('a model that refuses the negative prompt is asked again without it', async () => {
  script.push([400, 'ValidationException', 'extraneous key [negative_prompt] is not permitted']);
  expect((await draw()).outcome).toBe('image');
  expect(seen.map(({ body }) => 'negative_prompt' in body)).toEqual([true, false]);
  script.push([400, 'ValidationException', 'bad'], [400, 'ValidationException', 'bad']);
  expect((await draw()).outcome).toBe('final');
  expect(seen).toHaveLength(4);
});

test.each<[string, Scripted, string, number]>([
  ['a filter', [200, { finish_reasons: ['Filter reason: prompt'] }], 'refused', 1],
  ['a guardrail', [200, { 'amazon-bedrock-guardrailAction': 'INTERVENED' }], 'refused', 1],
  ['a content filter', [400, 'ValidationException', 'blocked by our content filters.'], 'refused', 1],
  ['an inference error', [200, { finish_reasons: ['Inference error'] }], 'passing', 3],
  ['a throttle', [429, 'ThrottlingException'], 'passing', 3],
  ['a model that is not ready', [429, 'ModelNotReadyException'], 'passing', 3],
  ['a model that fails', [424, 'ModelErrorException'], 'passing', 3],
  ['a model that takes too long', [408, 'ModelTimeoutException'], 'unknown', 1],
  ['a quota', [400, 'ServiceQuotaExceededException'], 'final', 1],
  ['a model that is not the account’s', [403, 'AccessDeniedException', 'no agreement'], 'final', 1],
  ['a model that is gone', [404, 'ResourceNotFoundException'], 'final', 1],
])('the reply of Bedrock for %s has its meaning', async (_, answer, meaning, times) => {
  script.push(...Array<Scripted>(times).fill(answer));
  const { outcome, message } = await draw();
  expect([outcome, seen.length]).toEqual([meaning, times]);
  if (typeof answer[1] === 'string' && meaning !== 'refused')
    expect(message).toContain(`${core} answered ${answer[0]} ${answer[1]}`);
});

test('a request without credentials is a final failure', async () => {
  const missing = Object.assign(new Error('no credentials'), { name: 'CredentialsProviderError' });
  const send = jest.spyOn(client, 'send').mockImplementation(() => Promise.reject(missing));
  expect((await draw()).outcome).toBe('final');
  send.mockRestore();
});
