/** Tests the parser of OpenAI requests: defaults, and refusals that name a field. */

import { parseOpenAiRequest } from '../../lambda/openai/openai-request';

const parseRefusal = (body: unknown) => {
  const parsed = parseOpenAiRequest(body);
  if (!('refusal' in parsed) || !('body' in parsed.refusal)) throw new Error('The request was not refused');
  return { status: parsed.refusal.status, ...JSON.parse(parsed.refusal.body).error };
};
const base64Body = { prompt: 'a', response_format: 'b64_json' };

test('a request with only a prompt is for one AI image of 1024 × 1024 as a URL', () => {
  const size = { widthPx: 1024, heightPx: 1024 };
  const openAiRequest = {
    prompt: 'a',
    model: 'ai',
    imageCount: 1,
    size,
    style: 'photo',
    format: 'jpeg',
    isBase64: false,
  };
  const absent = Object.fromEntries(['model', 'n', 'size', 'style', 'stream'].map((name) => [name, null]));
  for (const body of [{ prompt: 'a' }, { prompt: 'a', ...absent }, { prompt: 'a', size: '', user: 'me' }])
    expect(parseOpenAiRequest(body)).toEqual(openAiRequest);
});

test.each([
  ['dall-e-3', { model: 'dall-e-3' }, { model: 'ai', isBase64: false }],
  ['an empty model', { model: '' }, { model: 'ai', isBase64: false }],
  ['gpt-image-1', { model: 'gpt-image-1' }, { model: 'ai', isBase64: true }],
  ['gpt-image-1 as a URL', { model: 'gpt-image-1', response_format: 'url' }, { isBase64: false }],
  ['spaces and ligatures', { prompt: ' \ufb01ve\n ships ' }, { prompt: 'five ships' }],
  ['1,000 characters', { prompt: 'é'.repeat(1_000) }, { prompt: 'é'.repeat(1_000) }],
  [
    'four images of a size',
    { size: '100x4000', n: 4 },
    { size: { widthPx: 100, heightPx: 4000 }, imageCount: 4 },
  ],
  ['four files of the largest size', { ...base64Body, size: '1042x1042', n: 4 }, { isBase64: true }],
  ['a style and a format', { style: 'dark', output_format: 'webp' }, { style: 'dark', format: 'webp' }],
  ['the style vivid', { style: 'vivid' }, { style: 'photo' }],
])('a request with %s is read', (_, change, expected) => {
  expect(parseOpenAiRequest({ prompt: 'a', ...change })).toMatchObject(expected);
});

test.each<[about: string, body: unknown, status: number, param: string]>([
  ['no prompt', {}, 400, 'prompt'],
  ['a prompt without words', { prompt: '–' }, 400, 'prompt'],
  ['a prompt of 1,001 characters', { prompt: 'a'.repeat(1_001) }, 400, 'prompt'],
  ['a prompt with half a character', { prompt: 'a\ud800' }, 400, 'prompt'],
  ['five images', { prompt: 'a', n: 5 }, 400, 'n'],
  ['no images', { prompt: 'a', n: 0 }, 400, 'n'],
  ['one and a half images', { prompt: 'a', n: 1.5 }, 400, 'n'],
  ['a high image', { prompt: 'a', size: '100x4001' }, 400, 'size'],
  ['a wide image', { prompt: 'a', size: '4001x100' }, 400, 'size'],
  ['a small image', { prompt: 'a', size: '99x100' }, 400, 'size'],
  ['a size in words', { prompt: 'a', size: 'large' }, 400, 'size'],
  ['an unknown moderation', { prompt: 'a', moderation: 'high' }, 400, 'moderation'],
  ['an unknown form', { prompt: 'a', response_format: 'gif' }, 400, 'response_format'],
  ['an unknown format', { prompt: 'a', output_format: 'png' }, 400, 'output_format'],
  ['an unknown quality', { prompt: 'a', quality: 'best' }, 400, 'quality'],
  ['an unknown style', { prompt: 'a', style: 'anime' }, 400, 'style'],
  ['an absent background', { prompt: 'a', background: 'transparent' }, 400, 'background'],
  ['a stream', { prompt: 'a', stream: true }, 400, 'stream'],
  ['one too large file', { ...base64Body, size: '4000x4000' }, 400, 'size'],
  ['four files that are too large in all', { ...base64Body, n: 4, size: '1043x1043' }, 400, 'size'],
  ['a list', [], 400, 'body'],
  ['an unknown model', { prompt: 'a', model: 'sora' }, 404, 'model'],
])('a request with %s is refused with the name of the field', (_, body, status, param) => {
  const code = status === 404 ? 'model_not_found' : 'invalid_parameter';
  const refusal = parseRefusal(body);
  expect(refusal).toMatchObject({ status, param, code, type: 'invalid_request_error' });
  if (param !== 'model') expect(refusal.message).toMatch(`${param}: `);
});

test('a refusal repeats what was received and hides a key', () => {
  expect(parseRefusal({ prompt: 'a', n: 5 }).message).toContain('(received: 5)');
  const { message } = parseRefusal({ prompt: 'a', model: `pk_live_${'a'.repeat(40)}` });
  expect(message).toContain('"pk_live_..." does not exist');
});
