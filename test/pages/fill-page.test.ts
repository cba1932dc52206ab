/** A page over HTTP: which bodies are read, how it is filled with a batch, and the form of the answer. */

import { pageBounds } from '../../lambda/contract/batch';
import { type FillHtml, postPages } from '../../lambda/pages/fill-page';
import { caller, pageService, servedWith } from './page-service';

const post = pageService(postPages);
const html = { 'content-type': 'text/html; charset=utf-8' };
const json = { 'content-type': 'application/json' };

const pick = '0123456789abcdef0123';

/** Fills one place, and shows what it was told. */
const fillHtml: FillHtml = async (page, find, options) => {
  const images = await find({ exclude: [pick], images: [{ slot: 'a', query: 'lake' }] });
  return { html: `${page}!`, left: 0, report: [], images, options } as never;
};

it('is filled by one batch, and answered as HTML or as JSON with a report', async () => {
  for (const [headers, body] of [
    [html, '<p>'],
    [{ 'content-type': 'TEXT/HTML ;x' }, '<p>'],
    [json, '{"html":"<p>"}'],
  ] as const) {
    const { result, batches, orders } = await post(body, { headers, fillHtml });
    expect(result).toEqual({
      status: 200,
      headers: expect.objectContaining({
        'Cache-Control': 'no-store',
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': 'sandbox',
        'X-RateLimit-Remaining': '9',
      }),
      body: '<p>!',
    });
    expect(batches).toMatchObject([{ exclude: [pick], entries: [{ slot: 'a' }] }]);
    expect(orders).toEqual([{ ...batches[0], publish: undefined }]);
  }
  const options = { style: 'dark', onmiss: 'ai', replaceStock: false, lang: 'de' };
  const body = JSON.stringify({ html: '<p>', publish: false, ...options });
  const { result, orders } = await post(body, {
    headers: { ...json, accept: 'text/html, Application/JSON' },
    fillHtml,
  });
  if ('refusal' in result) throw new Error(result.refusal.code);
  expect(result.headers).toMatchObject({ 'Content-Type': 'application/json; charset=utf-8' });
  const { rateLimit, ...page } = JSON.parse(result.body);
  expect(rateLimit).toBeUndefined();
  expect(page).toMatchObject({ html: '<p>!', left: 0, images: { a: { cache: 'HIT' } } });
  expect(page.options).toEqual({ ...options, imagesMax: pageBounds.imagesMax });
  expect(orders).toMatchObject([{ publish: false }]);
});

it('replaces stock photos that may be real unless it is told otherwise, and states no rate limit without images', async () => {
  const plain: FillHtml = async (page, _, options) =>
    ({ html: page, left: 0, report: [], images: {}, options }) as never;
  const { result } = await post('<p>', { headers: { ...html, accept: 'application/json' }, fillHtml: plain });
  if ('refusal' in result) throw new Error(result.refusal.code);
  expect(JSON.parse(result.body).options).toEqual({ replaceStock: true, imagesMax: pageBounds.imagesMax });
  expect(result.headers).not.toHaveProperty('RateLimit');
});

it.each([
  ['HTML', html, 'x'.repeat(pageBounds.bytesMax)],
  ['JSON', json, `{"html":""}${' '.repeat(pageBounds.bytesMax - 11)}`],
])('of the longest %s is read, and one byte more is refused', async (_, headers, body) => {
  expect((await post(body, { headers, fillHtml })).result).toMatchObject({ status: 200 });
  expect((await post(`${body} `, { headers, fillHtml })).result).toEqual({
    refusal: { code: 'content_too_large' },
  });
});

it.each<[string, string | Buffer, object, object]>([
  ['another type', '<p>', { 'content-type': 'text/htmlx' }, { code: 'unsupported_media_type' }],
  ['no type', '<p>', {}, { code: 'unsupported_media_type' }],
  [
    'a type that ends like HTML',
    '<p>',
    { 'content-type': 'x-text/html' },
    { code: 'unsupported_media_type' },
  ],
  [
    'HTML that is no UTF-8',
    Buffer.from([0xff]),
    html,
    { faults: [{ parameter: 'body', bounds: 'text in UTF-8' }] },
  ],
  ['no object', '[]', json, { faults: [{ parameter: 'body', bounds: 'a JSON object' }] }],
  ['no page', '{}', json, { faults: [{ parameter: 'html', bounds: 'required, the page as text' }] }],
  [
    'other faults',
    '{"html":"","publish":1,"style":"x","onmiss":"x","replaceStock":1,"lang":"?"}',
    json,
    {
      code: 'invalid_parameter',
      faults: [
        { parameter: 'publish', bounds: 'true, false or the id of a credential' },
        { parameter: 'style', bounds: 'one of photo, minimal, dark, illustration' },
        { parameter: 'onmiss', bounds: 'ai, or absent' },
        { parameter: 'replaceStock', bounds: 'true or false' },
        { parameter: 'lang' },
      ],
    },
  ],
])('with %s is refused, and nothing is served', async (_, body, headers, refusal) => {
  const { result, batches } = await post(body, { headers: headers as typeof html, fillHtml });
  expect(result).toMatchObject({ refusal });
  expect(batches).toEqual([]);
});

it('is refused as its images are, and before its body is read without a key', async () => {
  const refusal = { code: 'invalid_parameter', faults: [] } as const;
  expect((await post('<p>', { headers: html, fillHtml, published: { refusal } })).result).toEqual({
    refusal,
  });
  for (const [admission, code] of [
    [{ outcome: 'known', caller: { kind: 'anonymous' } }, 'authentication_required'],
    [{ outcome: 'known', caller: { ...caller, publishedAs: 'signer' } }, 'credential_not_allowed'],
  ])
    expect((await post('', { headers: {}, admission: admission as object })).result).toEqual({
      refusal: { code },
    });
});

it('fails as its filling does', async () => {
  const broken: FillHtml = () => Promise.reject(new Error('out of order'));
  await expect(post('<p>', { headers: html, fillHtml: broken, answers: [servedWith(9)] })).rejects.toThrow(
    'out of order',
  );
});
