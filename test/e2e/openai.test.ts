/** The API of OpenAI's clients over HTTP: every model and form, its charges, and refusals in their shape. */

import { postJson } from './ask';
import { type LocalAccounts, localAccounts, type TestAccount } from './local-account';
import { type SharedService, sharedService } from './shared-service';

let service: SharedService;
let accounts: LocalAccounts;
let account: TestAccount;
beforeAll(async () => {
  service = await sharedService();
  accounts = await localAccounts(service.url);
  account = await accounts.open('business', 0);
});
afterAll(() => accounts?.close());

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

async function order(body: unknown, by = account.key) {
  const response = await postJson(service.url, '/v1/images/generations', by, body as object);
  return { status: response.status, headers: response.headers, json: (await response.json()) as Answer };
}
const get = async (path: string, by = account.key) => {
  const response = await fetch(`${service.url}/v1/${path}`, { headers: { Authorization: `Bearer ${by}` } });
  return { status: response.status, json: (await response.json()) as Answer & Record<string, unknown> };
};
const small = { size: '200x150' };

it.each([
  ['stock', 'harbor crane', 3, 'stock_a', /./],
  ['ai', 'harbor crane', 1, 'ai', null],
  ['auto', 'harbor crane', 3, 'stock_a', /./],
  ['dall-e-3', 'harbor gate', 1, 'ai', null],
])(
  '%s answers with different images that every visitor may load, for its units',
  async (model, prompt, units, source, credit) => {
    const before = await account.taken();
    const { status, headers, json } = await order({ model, prompt, n: 3, ...small });
    expect([status, headers.get('x-image-source')]).toEqual([200, source]);
    expect(headers.get('x-image-attribution')).toMatch(/\w/);
    expect(headers.get('x-image-note')).toBeNull();
    const data = json.data ?? [];
    expect(new Set(data.map(({ url }) => url)).size).toBe(3);
    expect((await account.taken()) - before).toBe(units);
    for (const { url = '', revised_prompt } of data) {
      if (credit) expect(revised_prompt).toMatch(credit);
      else expect(revised_prompt).toBeNull();
      expect(url).toContain('width=200&height=150&');
      expect((await fetch(url)).headers.get('content-type')).toMatch(/^image\//);
    }
    expect((await account.taken()) - before).toBe(units);
  },
);

it.each([
  [{ response_format: 'b64_json' }, 'ffd8ff'],
  [{ response_format: 'b64_json', output_format: 'webp' }, '52494646'],
  [{ model: 'gpt-image-1' }, 'ffd8ff'],
  [
    { model: 'stock', response_format: 'b64_json', size: null, quality: 'high', style: 'vivid', user: 'me' },
    'ffd8ff',
  ],
])('the file itself is answered for %j', async (more, beginning) => {
  const { json } = await order({ prompt: 'quay at night', ...small, ...more });
  const [image] = json.data ?? [];
  expect(
    Buffer.from(image?.b64_json ?? '', 'base64')
      .toString('hex')
      .slice(0, beginning.length),
  ).toBe(beginning);
});

it.each(['ai', 'stock'])('%s answers an account without a signer with the file itself', async (model) => {
  const { account: id, key } = await accounts.open('business', 0);
  for (const record of await accounts.keys.keysOf(id))
    if (record.publishedAs === 'signer') await accounts.keys.revokeKey(record);
  const { status, json } = await order({ model, prompt: 'harbor crane', ...small }, key);
  expect(status).toBe(200);
  const { url = '' } = json.data?.[0] ?? {};
  expect(url).not.toContain('/api/');
  expect((await fetch(url)).ok).toBe(true);
});

it('a long prompt is made as it is, and stock shows its subject', async () => {
  const prompt = 'a photo of a wooden sailing ship in a storm, '.repeat(20);
  for (const model of ['ai', 'stock']) expect((await order({ model, prompt, ...small })).status).toBe(200);
});

it.each<[about: string, body: unknown, status: number, param: string]>([
  ['no prompt', {}, 400, 'prompt'],
  ['a prompt without words', { prompt: '–' }, 400, 'prompt'],
  ['a long one', { prompt: 'a'.repeat(1_001) }, 400, 'prompt'],
  ['too many', { prompt: 'a', n: 5 }, 400, 'n'],
  ['too few', { prompt: 'a', n: 0 }, 400, 'n'],
  ['a part of one', { prompt: 'a', n: 1.5 }, 400, 'n'],
  ['a high image', { prompt: 'a', size: '100x4001' }, 400, 'size'],
  ['a wide image', { prompt: 'a', size: '4001x100' }, 400, 'size'],
  ['a moderation', { prompt: 'a', moderation: 'high' }, 400, 'moderation'],
  ['a small size', { prompt: 'a', size: '99x100' }, 400, 'size'],
  ['no size', { prompt: 'a', size: 'large' }, 400, 'size'],
  ['a form', { prompt: 'a', response_format: 'gif' }, 400, 'response_format'],
  ['a format', { prompt: 'a', output_format: 'png' }, 400, 'output_format'],
  ['a quality', { prompt: 'a', quality: 'best' }, 400, 'quality'],
  ['a style', { prompt: 'a', style: 'anime' }, 400, 'style'],
  ['no background', { prompt: 'a', background: 'transparent' }, 400, 'background'],
  ['a stream', { prompt: 'a', stream: true }, 400, 'stream'],
  ['too large files', { prompt: 'a', size: '4000x4000', response_format: 'b64_json' }, 400, 'size'],
  ['too many large', { prompt: 'a', n: 4, size: '1200x1200', response_format: 'b64_json' }, 400, 'size'],
  ['a list', [], 400, 'body'],
  ['a model', { prompt: 'a', model: 'sora' }, 404, 'model'],
])('%s is refused by its field, and costs nothing', async (_about, body, status, param) => {
  const before = await account.taken();
  const refused = await order(body);
  const code = status === 404 ? 'model_not_found' : 'invalid_parameter';
  expect(refused).toMatchObject({ status, json: { error: { param, code, type: 'invalid_request_error' } } });
  if (param !== 'model') expect(refused.json.error?.message).toMatch(`${param}: `);
  expect(await account.taken()).toBe(before);
});

it('auto answers with AI images where no stock image fits, the further ones as variations, and charges one', async () => {
  const before = await account.taken();
  const { headers, json } = await order({ model: 'auto', prompt: 'zyzzyva quixotry', n: 2, ...small });
  expect(headers.get('x-image-source')).toBe('ai');
  expect(new Set(json.data?.map(({ url }) => url)).size).toBe(2);
  expect((await account.taken()) - before).toBe(1);
});

it('a style of ours makes another image, and one of OpenAI’s own the usual one', async () => {
  const pickOf = async (style?: string) => {
    const { json } = await order({ prompt: 'lighthouse keeper', style, ...small });
    return new URL(json.data?.[0]?.url ?? '').searchParams.get('pick');
  };
  const usual = await pickOf();
  expect(await pickOf('vivid')).toBe(usual);
  expect(await pickOf('dark')).not.toBe(usual);
});

it('callers, calls and methods are refused in the same shape', async () => {
  const shape = (status: number, code: string) => ({
    status,
    json: { error: { code, message: expect.any(String) } },
  });
  expect(await order({ prompt: 'a' }, 'pk_live_wrong')).toMatchObject(shape(401, 'invalid_api_key'));
  expect(await get('models', 'sk-proj-x')).toMatchObject(shape(401, 'invalid_api_key'));
  const unknown = await get('chat/completions');
  expect(unknown).toMatchObject(shape(404, 'not_found'));
  expect(unknown.json.error?.message).toContain('Use GET /v1/models or POST /v1/images/generations.');
  expect(await get('images/generations')).toMatchObject(shape(405, 'method_not_allowed'));
  expect(await get('models/sora')).toMatchObject(shape(404, 'model_not_found'));
  const text = await fetch(`${service.url}/v1/images/generations`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${account.key}` },
    body: 'prompt=a',
  });
  expect({ status: text.status, json: await text.json() }).toMatchObject(
    shape(415, 'unsupported_media_type'),
  );
  const anonymous = await fetch(`${service.url}/v1/models`);
  expect({ status: anonymous.status, json: await anonymous.json() }).toMatchObject(
    shape(401, 'authentication_required'),
  );
});

it.each([
  ['none', 404, 'no_image_found', 'invalid_request_error', false],
  ['quota', 429, 'quota_exceeded', 'insufficient_quota', true],
  ['rate', 429, 'rate_limited', 'rate_limit_error', true],
  ['generating', 503, 'generation_in_progress', 'server_error', true],
  ['refused', 400, 'content_policy_violation', 'invalid_request_error', false],
])('an image that fails is refused: test:%s', async (value, status, code, type, waits) => {
  const prompt = `test:${value}`;
  const refused = await order({ prompt, model: 'stock', ...small }, service.keys.pro.test);
  expect(refused).toMatchObject({ status, json: { error: { code, type } } });
  const wait = refused.headers.get('retry-after');
  if (waits) expect(wait).toMatch(/^\d+$/);
  else expect(wait).toBeNull();
});

it('an image that a limit of the hour refuses is to be asked for again at its end, not at that of the month', async () => {
  const spent = await accounts.open('free', 0);
  await spent.spendWork(300);
  const refused = await order({ prompt: 'gantry at noon', model: 'stock', ...small }, spent.key);
  expect(refused).toMatchObject({ status: 429, json: { error: { code: 'rate_limited' } } });
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
  expect(await spent.taken()).toBe(0);
});

it('a key in place of a model is not repeated', async () => {
  for (const { json } of [
    await order({ prompt: 'a', model: account.key }),
    await get(`models/${account.key}`),
  ])
    expect(json.error?.message).toContain('"pk_live_..." does not exist');
});

it('models are listed and described', async () => {
  const { json } = await get('models');
  expect(json).toMatchObject({
    object: 'list',
    data: ['ai', 'stock', 'auto'].map((id) => ({ id, object: 'model' })),
  });
  for (const id of ['stock', 'gpt-image-1'])
    expect((await get(`models/${id}`)).json).toMatchObject({ id, object: 'model' });
});
