/** A server with OpenAI's images API, over HTTP. The replies follow its documentation. */

import type { IncomingHttpHeaders } from 'node:http';
import { readGeneratorSettings, type SettingsOfGenerator } from '../../../lambda/contract/generators';
import { aspectRatios } from '../../../lambda/generation/ai-image-identity';
import type { ModelRequest } from '../../../lambda/generation/models/model';
import {
  type OpenAiCompatibleDeps,
  openOpenAiCompatible,
} from '../../../lambda/generation/models/openai-compatible';
import { makeJpeg } from '../../fakes/images';
import { type Loopback, listenOnLoopback } from '../../fakes/loopback';
import { drawWith, modelRequest } from './drawing';

interface Answer {
  readonly status: number;
  readonly body: string | object;
  readonly headers?: Readonly<Record<string, string>>;
}
const makeErrorAnswer = (status: number, code: string | null, type = 'invalid_request_error'): Answer => ({
  status,
  body: { error: { type, code, message: `about ${modelRequest.words}`, param: null } },
});

let server: Loopback;
let image: Buffer;
let script: Answer[];
let seen: { url: string; headers: IncomingHttpHeaders; body: Record<string, unknown> }[];
let fetched: unknown[][];
beforeAll(async () => {
  image = await makeJpeg(64, 36);
  server = await listenOnLoopback(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    seen.push({ url: request.url ?? '', headers: request.headers, body });
    const {
      status,
      body: answer,
      headers = {},
    } = script.shift() ?? {
      status: 200,
      body: { created: 1_795_000_000, data: [{ b64_json: image.toString('base64') }], usage: {} },
    };
    response.writeHead(status, headers).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
});
beforeEach(() => {
  script = [];
  seen = [];
  fetched = [];
});
afterAll(() => server.stop());

function draw(
  settingsChange: object = {},
  requestChange: Partial<ModelRequest> = {},
  deps: Partial<OpenAiCompatibleDeps> = {},
) {
  const settings = {
    kind: 'openai-compatible',
    baseUrl: `${server.address}/v1/`,
    model: 'gpt-image-2',
    ...settingsChange,
  };
  const model = openOpenAiCompatible(
    readGeneratorSettings(settings) as SettingsOfGenerator<'openai-compatible'>,
    {
      readKey: async (name) => (name === 'openai' ? 'sk-secret' : undefined),
      fetchOriginal: async (...call) => {
        fetched.push(call.slice(0, 2));
        return { outcome: 'fetched', bytes: image };
      },
      ...deps,
    },
  );
  return drawWith(model, requestChange);
}

test('a request to a server has the fields that GPT image models document', async () => {
  expect((await draw()).outcome).toBe('image');
  expect(seen).toMatchObject([{ url: '/v1/images/generations' }]);
  expect(seen[0]?.body).toEqual({
    model: 'gpt-image-2',
    prompt: `${modelRequest.prompt} Leave out: text, watermark.`,
    n: 1,
    size: '1536x864',
  });
  expect(seen[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
  expect(seen[0]?.headers.authorization).toBeUndefined();
});

test('the operator’s `extraBody` wins over the fields of a request', async () => {
  await draw({ apiKeyName: 'openai', extraBody: { quality: 'low', n: 2, size: 'auto', seed: 7 } });
  expect(seen[0]?.headers.authorization).toBe('Bearer sk-secret');
  expect(seen[0]?.body).toMatchObject({ quality: 'low', n: 2, size: 'auto', seed: 7 });
});

test('for each ratio a server is asked for a size that GPT image models draw', async () => {
  for (const ratio of aspectRatios) await draw({}, { ratio });
  // 1,228.8 is rounded to the nearest multiple of 16.
  expect(seen[aspectRatios.indexOf('4:5')]?.body['size']).toBe('1232x1536');
  for (const { body } of seen) {
    const [width = 0, height = 0] = String(body['size']).split('x').map(Number);
    expect([width % 16, height % 16]).toEqual([0, 0]);
    expect(Math.max(width / height, height / width)).toBeLessThanOrEqual(3);
    expect(width * height).toBeGreaterThanOrEqual(655_360);
  }
});

test('a server is asked for the nearest of the configured sizes', async () => {
  const sizes = ['1024x1024', '1536x1024', '1024x1536'];
  for (const ratio of ['1:1', '21:9', '4:5', '9:16'] as const) await draw({ sizes }, { ratio });
  expect(seen.map(({ body }) => body['size'])).toEqual(['1024x1024', '1536x1024', '1024x1536', '1024x1536']);
});

test.each<[string, Partial<OpenAiCompatibleDeps>, string]>([
  ['is not there', {}, 'final'],
  ['cannot be read', { readKey: () => Promise.reject(new Error('no answer about sk-secret')) }, 'passing'],
])('a server is not asked while its key %s', async (_, deps, meaning) => {
  const { outcome, message } = await draw({ apiKeyName: 'forgotten' }, {}, deps);
  expect([outcome, seen]).toEqual([meaning, []]);
  expect(String(message)).not.toContain('sk-secret');
});

test('the URL in a reply is fetched from the server’s host or from `imageHosts`', async () => {
  const url = 'http://localhost:8080/generated-images/example.png';
  const answer = { status: 200, body: { created: 1, data: [{ url }] } };
  script.push(answer, answer);
  expect((await draw()).outcome).toBe('image');
  await draw({ imageHosts: ['cdn.example:8443'] });
  expect(fetched).toEqual([
    [url, [new URL(server.address).host]],
    [url, ['cdn.example:8443']],
  ]);
});

test('the image of a reply may be a data URL', async () => {
  const b64_json = `data:image/jpeg;base64,${image.toString('base64')}`;
  script.push({ status: 200, body: { data: [{ b64_json }] } });
  expect((await draw()).outcome).toBe('image');
});

const refusedConnection = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
test.each<[string, Partial<OpenAiCompatibleDeps>]>([
  ['is not fetched', { fetchOriginal: () => Promise.reject(refusedConnection) }],
  ['is not allowed', { fetchOriginal: async () => ({ outcome: 'unusable', reason: 'not on the list' }) }],
])('an image whose URL %s may have been billed, so the model is asked once', async (_, deps) => {
  script.push({ status: 200, body: { data: [{ url: 'http://169.254.169.254/' }] } });
  expect((await draw({}, {}, deps)).outcome).toBe('unknown');
  expect(seen).toHaveLength(1);
});

test.each([
  ['an empty list', { data: [] }],
  ['nothing in the list', { data: [{}] }],
  ['no list', { data: 'x' }],
  ['a list of nothing', { data: [null] }],
  ['null', 'null'],
  ['a web page', '<html>Bad gateway</html>'],
])('a reply with %s may have been billed', async (_, body) => {
  script.push({ status: 200, body });
  expect((await draw()).outcome).toBe('unknown');
  expect(seen).toHaveLength(1);
});

test.each<[string, string, number, Answer]>([
  [
    'moderation_blocked',
    'refused',
    1,
    makeErrorAnswer(400, 'moderation_blocked', 'image_generation_user_error'),
  ],
  ['content_policy_violation', 'refused', 1, makeErrorAnswer(400, 'content_policy_violation')],
  ['the type content_filter', 'refused', 1, makeErrorAnswer(400, null, 'content_filter')],
  ['insufficient_quota', 'final', 1, makeErrorAnswer(429, 'insufficient_quota')],
  ['rate_limit_exceeded', 'passing', 3, makeErrorAnswer(429, 'rate_limit_exceeded')],
  ['a long Retry-After', 'passing', 1, { ...makeErrorAnswer(429, ''), headers: { 'retry-after': '60' } }],
  ['invalid_value', 'final', 1, makeErrorAnswer(400, 'invalid_value', 'image_generation_user_error')],
  ['model_not_found', 'final', 1, makeErrorAnswer(404, 'model_not_found')],
  ['400 with HTML', 'final', 1, { status: 400, body: '<html>' }],
  ['400 with a plain text', 'final', 1, { status: 400, body: { error: 'plain text' } }],
  ['502 with HTML', 'unknown', 1, { status: 502, body: '<html>Bad gateway</html>' }],
])('after a reply with %s the outcome is %s (asked %i times)', async (_, meaning, times, answer) => {
  script.push(...Array<Answer>(times).fill(answer));
  const { outcome, message } = await draw({ apiKeyName: 'openai' });
  expect([outcome, seen.length]).toEqual([meaning, times]);
  expect(String(message)).not.toMatch(/lake|sk-/);
});

test('a redirect of the server is not followed, because it would receive the key', async () => {
  script.push({ status: 307, body: '', headers: { location: '/elsewhere' } });
  expect((await draw({ apiKeyName: 'openai' })).outcome).toBe('unknown');
  expect(seen.map(({ url }) => url)).toEqual(['/v1/images/generations']);
});
