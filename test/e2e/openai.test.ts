/** The API of OpenAI's clients over HTTP: every model and form, its charges, and its refusals. */

import { startFixture } from '../fakes/fixture';
import { postJson } from './ask';
import { connectLocalAccounts } from './local-account';
import { getSharedService } from './shared-service';

const service = startFixture(getSharedService);
const accounts = startFixture(() => connectLocalAccounts(service.url));
const account = startFixture(() => accounts.open('business', 0));

interface Answer {
  readonly data?: readonly {
    readonly url?: string;
    readonly b64_json?: string;
    readonly revised_prompt: string;
  }[];
  readonly error?: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string;
  };
}

async function postGenerations(body: unknown, key = account.key) {
  const response = await postJson(service.url, '/v1/images/generations', key, body as object);
  return { status: response.status, headers: response.headers, json: (await response.json()) as Answer };
}
const get = async (path: string, key = account.key) => {
  const response = await fetch(`${service.url}/v1/${path}`, { headers: { Authorization: `Bearer ${key}` } });
  return { status: response.status, json: (await response.json()) as Answer & Record<string, unknown> };
};
const small = { size: '200x150' };

test.each([
  ['stock', 'harbor crane', 3, 'stock_a', /./],
  ['ai', 'harbor crane', 1, 'ai', null],
  ['auto', 'harbor crane', 3, 'stock_a', /./],
  ['dall-e-3', 'harbor gate', 1, 'ai', null],
])(
  'the model %s returns different images that every visitor can load, for one unit each',
  async (model, prompt, units, source, credit) => {
    const takenBefore = await account.readTaken();
    const { status, headers, json } = await postGenerations({ model, prompt, n: 3, ...small });
    expect([status, headers.get('x-image-source')]).toEqual([200, source]);
    expect(headers.get('x-image-attribution')).toMatch(/\w/);
    expect(headers.get('x-image-note')).toBeNull();
    const images = json.data ?? [];
    expect(new Set(images.map(({ url }) => url)).size).toBe(3);
    expect((await account.readTaken()) - takenBefore).toBe(units);
    for (const { url = '', revised_prompt } of images) {
      if (credit) expect(revised_prompt).toMatch(credit);
      else expect(revised_prompt).toBeNull();
      expect(url).toContain('width=200&height=150&');
      expect((await fetch(url)).headers.get('content-type')).toMatch(/^image\//);
    }
    expect((await account.readTaken()) - takenBefore).toBe(units);
  },
);

test.each([
  ['gpt-image-1', 'JPEG', {}, 'ffd8ff'],
  ['stock', 'WebP', { response_format: 'b64_json', output_format: 'webp' }, '52494646'],
])('the model %s returns the file of the image as %s', async (model, _, options, beginning) => {
  const { json } = await postGenerations({ model, prompt: 'quay at night', ...small, ...options });
  expect(Buffer.from(json.data?.[0]?.b64_json ?? '', 'base64').toString('hex')).toMatch(
    new RegExp(`^${beginning}`),
  );
});

test.each(['ai', 'stock'])(
  'for an account without a signer, the model %s returns the file of the image',
  async (model) => {
    const { account: id, key } = await accounts.open('business', 0);
    for (const record of await accounts.keys.readAccountKeys(id))
      if (record.publishedAs === 'signer') await accounts.keys.revokeKey(record);
    const { status, json } = await postGenerations({ model, prompt: 'harbor crane', ...small }, key);
    expect(status).toBe(200);
    const { url = '' } = json.data?.[0] ?? {};
    expect(url).not.toContain('/api/');
    expect((await fetch(url)).ok).toBe(true);
  },
);

test('the model stock finds an image of the subject of a long prompt, and notes that', async () => {
  const prompt = 'a photo of a wooden sailing ship in a storm, '.repeat(20);
  for (const [model, note] of [
    ['ai', null],
    ['stock', 'stock used the subject of the prompt, at most 200 characters'],
  ]) {
    const { status, headers } = await postGenerations({ model, prompt, ...small });
    expect([status, headers.get('x-image-note')]).toEqual([200, note]);
  }
});

test.each([
  ['in the default style', { prompt: 'zyzzyva quixotry' }],
  ['in another style', { prompt: 'zyzzyva qoph', style: 'illustration' }],
  ['of a long prompt', { prompt: 'a zyzzyva beside a xebec of quixotry, '.repeat(8), style: 'dark' }],
])('the model auto charges one unit for an AI image and its variation %s', async (_, options) => {
  const takenBefore = await account.readTaken();
  const { headers, json } = await postGenerations({ model: 'auto', n: 2, ...options, ...small });
  expect(headers.get('x-image-source')).toBe('ai');
  expect((await account.readTaken()) - takenBefore).toBe(1);
  const parseImages = ({ data = [] }: Answer) =>
    data.map(({ url = '' }) => new URL(url).searchParams.get('pick'));
  expect(new Set(parseImages(json)).size).toBe(2);
  const aiResponse = await postGenerations({ model: 'ai', n: 2, ...options, ...small });
  expect(parseImages(json)).toEqual(parseImages(aiResponse.json));
});

test('every refusal has the shape of an OpenAI error', async () => {
  const makeRefusal = (status: number, code: string) => ({
    status,
    json: { error: { code, message: expect.any(String) } },
  });
  for (const [path, status, code, key] of [
    ['models', 401, 'invalid_api_key', 'sk-proj-x'],
    ['chat/completions', 404, 'not_found', account.key],
    ['images/generations', 405, 'method_not_allowed', account.key],
    ['models/sora', 404, 'model_not_found', account.key],
  ] as const)
    expect(await get(path, key)).toMatchObject(makeRefusal(status, code));
  const text = await fetch(`${service.url}/v1/images/generations`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${account.key}` },
    body: 'prompt=a',
  });
  expect({ status: text.status, json: await text.json() }).toMatchObject(
    makeRefusal(415, 'unsupported_media_type'),
  );
  const anonymous = await fetch(`${service.url}/v1/models`);
  expect({ status: anonymous.status, json: await anonymous.json() }).toMatchObject(
    makeRefusal(401, 'authentication_required'),
  );
});

test('each model is in the list and has a description', async () => {
  const { json } = await get('models');
  expect(json).toMatchObject({
    object: 'list',
    data: ['ai', 'stock', 'auto'].map((id) => ({ id, object: 'model' })),
  });
  for (const id of ['stock', 'gpt-image-1'])
    expect((await get(`models/${id}`)).json).toMatchObject({ id, object: 'model' });
});
