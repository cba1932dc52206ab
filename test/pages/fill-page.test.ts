/** Tests `POST /api/pages`: bodies, the filled page, its costs and its response. */

import { pageBounds } from '../../lambda/contract/request-bounds';
import { postPages } from '../../lambda/pages/fill-page';
import { createPageService, keyHolder, workRefusal } from './page-service';

const post = createPageService(postPages);
const htmlHeaders = { 'content-type': 'text/html; charset=utf-8' };
const jsonHeaders = { 'content-type': 'application/json' };
const [html, json] = ['text/html', 'application/json'];
const writeControls = (count: number) => '\u0001'.repeat(count);
const mugTag = '<img src="https://placehold.co/600x400" alt="Mug">';

function getBody({ result }: Awaited<ReturnType<typeof post>>): string {
  if ('refusal' in result) throw new Error(result.refusal.code);
  return result.body;
}
describe('postPages', () => {
  test('a filled page is HTML, or JSON with a report', async () => {
    for (const headers of [htmlHeaders, { 'content-type': 'TEXT/HTML ;x' }]) {
      const { result, searched, workTaken } = await post(mugTag, { headers });
      expect(result).toMatchObject({
        status: 200,
        headers: {
          'Cache-Control': 'no-store',
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': 'sandbox',
          'X-RateLimit-Remaining': '7',
        },
        body: expect.stringContaining(' data-image-filled="Mug"'),
      });
      expect(searched).toEqual(['Mug']);
      expect(workTaken).toEqual([]);
    }
    const page = JSON.stringify({ html: mugTag, publish: false });
    for (const [headers, body] of [
      [jsonHeaders, page],
      [{ ...jsonHeaders, accept: 'text/html' }, page],
      [{ ...htmlHeaders, accept: 'text/html, Application/JSON' }, mugTag],
    ] as const)
      expect(JSON.parse(getBody(await post(body, { headers })))).toEqual({
        html: expect.stringContaining('data-image-filled'),
        left: 0,
        credits: [expect.stringContaining(' by Zoë Müller')],
        report: [
          expect.objectContaining({ line: 1, outcome: 'filled', reason: 'placeholder', query: 'Mug' }),
        ],
      });
  });

  test.each([
    ['without images', '<p>'],
    ['with an image without words', '<img src="https://placehold.co/600x400">'],
    ['with too many images', '<img src="a.png">'.repeat(2_001)],
    ['whose report would be too long', writeControls(900_000)],
  ])('a page %s takes a unit of work', async (_about, page) => {
    const { workTaken } = await post(page, { headers: { ...htmlHeaders, accept: json } });
    expect(workTaken.map(({ operation }) => operation)).toEqual(['take']);
    expect((await post(page, { headers: htmlHeaders, isSpent: true })).result).toEqual({
      refusal: workRefusal,
    });
  });

  test.each([
    ['a wordless query', '<img src="https://placehold.co/600x400" data-image-query="---">'],
    ['a long tag of a language', `<p lang="sl-Latn-IT-rozaj-biske-1994">${mugTag}`],
  ])('a page with %s is filled', async (_about, page) => {
    expect((await post(mugTag + page, { headers: htmlHeaders })).result).toMatchObject({ status: 200 });
  });

  test('a page is filled even if the instance remembers that work is used up', async () => {
    const { result, workTaken } = await post(mugTag, { headers: htmlHeaders, isKnownSpent: true });
    expect([result, workTaken]).toMatchObject([{ status: 200 }, []]);
  });

  test.each([
    ['a page of few control characters is filled', mugTag + writeControls(180_000), json, 200],
    ['a page of many control characters is refused', mugTag + writeControls(900_000), json, 400],
    ['a page of many control characters is refused as HTML', mugTag + writeControls(900_000), html, 400],
    ['a page of quotation marks is filled', mugTag + '"'.repeat(900_000), json, 200],
    [
      'a page with one image in many places is refused',
      `<picture>${'<source srcset="https://placehold.co/600x400">'.repeat(1_900)}${mugTag}</picture>`,
      html,
      400,
    ],
  ])('before a charge, the length of the result is checked: %s', async (_about, page, accept, status) => {
    const { result, searched } = await post(page, { headers: { ...htmlHeaders, accept } });
    if (status === 200) expect(result).toMatchObject({ status });
    else {
      expect(result).toMatchObject({
        refusal: { code: 'invalid_parameter', faults: [{ parameter: 'html' }] },
      });
      expect(searched).toEqual([]);
    }
  });

  test.each([
    ['filled if three seconds are left', 3_000, ['Mug']],
    ['left as it is if less time is left', 2_999, []],
  ])('a page is %s', async (_, leftMs, words) => {
    expect((await post(mugTag, { headers: htmlHeaders, leftMs })).searched).toEqual(words);
  });

  test.each([
    ['HTML', htmlHeaders, 'x'.repeat(pageBounds.bytesMax)],
    ['JSON', jsonHeaders, `{"html":""}${' '.repeat(pageBounds.bytesMax - 11)}`],
  ])('a page in %s is refused if it has a byte too many', async (_, headers, body) => {
    expect((await post(body, { headers })).result).toMatchObject({ status: 200 });
    expect((await post(`${body} `, { headers })).result).toEqual({ refusal: { code: 'content_too_large' } });
  });

  test.each<[string, string | Buffer, object, string, Readonly<Record<string, string>>?]>([
    ['another type', '<p>', { 'content-type': 'text/htmlx' }, 'unsupported_media_type'],
    ['no type', '<p>', {}, 'unsupported_media_type'],
    ['a type that ends like HTML', '<p>', { 'content-type': 'x-text/html' }, 'unsupported_media_type'],
    [
      'HTML that is no UTF-8',
      Buffer.from([0xff]),
      htmlHeaders,
      'invalid_parameter',
      { body: 'text in UTF-8' },
    ],
    ['no object', '[]', jsonHeaders, 'invalid_parameter', { body: 'a JSON object' }],
    [
      'too many images',
      '<img src="a.png">'.repeat(2_001),
      htmlHeaders,
      'invalid_parameter',
      { html: 'at most 2,000 images' },
    ],
    ['no page', '{}', jsonHeaders, 'invalid_parameter', { html: 'required, the page as text' }],
    [
      'other faults',
      '{"html":"","publish":1,"style":"x","onmiss":"x","replaceStock":1,"lang":"?"}',
      jsonHeaders,
      'invalid_parameter',
      {
        publish: 'true, false or the id of a credential',
        style: 'one of photo, minimal, dark, illustration',
        onmiss: 'ai, or absent',
        replaceStock: 'true or false',
        lang: 'a BCP 47 tag, such as pt-BR',
      },
    ],
  ])(
    'a request with %s is refused before an image is served',
    async (_, body, headers, code, bounds = {}) => {
      const { result, searched } = await post(body, { headers: headers as typeof htmlHeaders });
      const faults = Object.entries(bounds).map(([parameter, bound]) => ({ parameter, bounds: bound }));
      expect(result).toMatchObject({ refusal: { code, ...(faults.length > 0 && { faults }) } });
      expect(searched).toEqual([]);
    },
  );

  test('a page without a key is refused before its body is read', async () => {
    const signedBody = JSON.stringify({ html: mugTag, publish: 'sg_live_000000000000' });
    expect((await post(signedBody, { headers: jsonHeaders })).result).toMatchObject({
      refusal: { faults: [{ parameter: 'publish' }] },
    });
    for (const [caller, code] of [
      [{ kind: 'anonymous' }, 'authentication_required'],
      [{ ...keyHolder, publishedAs: 'signer' }, 'credential_not_allowed'],
    ] as const)
      expect((await post('', { headers: {}, caller })).result).toEqual({ refusal: { code } });
  });
});
