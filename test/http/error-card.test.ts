/** An error card has the requested size and readable text. It is a PNG for clients that show no SVG. */

import fc from 'fast-check';
import { computeHourWindow } from '../../lambda/base/window';
import { drawErrorCard, makeCardResponse } from '../../lambda/http/error-card';
import { problems, type Refusal, writeDetail } from '../../lambda/problems/problem';
import { listElements, parseXml } from '../requests/well-formed';

const nowMs = Date.parse('2026-11-21T18:37:00Z');
const code = 'upstream_unavailable';
const content = { ...problems[code], code, detail: writeDetail({ code }) };
const drawCard = (widthPx: number, heightPx: number, change: object = {}) =>
  parseXml(drawErrorCard({ ...content, widthPx, heightPx, ...change }));
const listTexts = (root: ReturnType<typeof drawCard>) =>
  listElements(root).filter(({ name }) => name === 'text');
const joinWords = (root: ReturnType<typeof drawCard>) =>
  listTexts(root)
    .map(({ children }) => String(children[0]))
    .join(' ');
const side = fc.oneof(fc.integer({ min: 100, max: 4000 }), fc.constantFrom(100, 101, 200, 400, 4000));

describe('drawErrorCard', () => {
  test('a card has exactly the requested size', () => {
    fc.assert(
      fc.property(side, side, (width, height) => {
        expect(drawCard(width, height)).toMatchObject({
          name: 'svg',
          attributes: {
            xmlns: 'http://www.w3.org/2000/svg',
            width: String(width),
            height: String(height),
            viewBox: `0 0 ${width} ${height}`,
          },
        });
      }),
    );
  });

  const anyContent = fc
    .constantFrom(...(Object.keys(problems) as (keyof typeof problems)[]))
    .map((problemCode) => ({
      ...problems[problemCode],
      code: problemCode,
      detail: 'One sentence of some words. Another one.',
    }));

  test('the texts of a card never overlap or leave the card', () => {
    fc.assert(
      fc.property(side, side, anyContent, (width, height, cardContent) => {
        const card = drawCard(width, height, cardContent);
        expect(joinWords(card)).toContain(cardContent.title);
        let above = 0;
        for (const { attributes, children } of listTexts(card)) {
          const sizePx = Number(attributes['font-size']);
          const baselinePx = Number(attributes['y']);
          expect(sizePx).toBeGreaterThanOrEqual(10);
          expect(baselinePx - sizePx).toBeGreaterThanOrEqual(5.5);
          expect(baselinePx + sizePx * 0.3).toBeLessThanOrEqual(height - 5.5);
          // Half an em is what an average letter takes in common fonts.
          expect(String(children[0]).length * sizePx * 0.5).toBeLessThanOrEqual(width);
          expect(baselinePx - above).toBeGreaterThanOrEqual(sizePx * 0.9);
          above = baselinePx;
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    [1920, 1080],
    [1080, 1350],
    [640, 480],
    [400, 300],
    [300, 200],
  ])('a card of %d × %d shows the error, its reason, status and code', (width, height) => {
    const words = joinWords(drawCard(width, height));
    for (const text of [content.title, content.detail, '502', code]) expect(words).toContain(text);
  });

  test('a card shows only whole sentences', () => {
    const detail = `${'One sentence of some words. '.repeat(4)}A last one with more words than there is room for on a card of this size, however long its lines may be, and some more.`;
    const words = joinWords(drawCard(300, 200, { detail }));
    expect(words).toContain('One sentence of some words. '.repeat(4).trim());
    expect(words).not.toContain('A last one');
    expect(joinWords(drawCard(100, 100))).toBe('Image source unavailable 502');
  });

  test('a card has the same text for screen readers', () => {
    const svg = drawCard(640, 480);
    expect(svg.attributes).toMatchObject({ role: 'img', 'aria-label': `502 ${content.title}` });
    expect(listElements(svg).find(({ name }) => name === 'desc')?.children).toEqual([content.detail]);
  });

  test('a card loads and runs nothing', () => {
    const svg = drawErrorCard({ ...content, widthPx: 640, heightPx: 480 });
    expect(svg).not.toMatch(/<script|href|@import|url\((?!#)|\son\w+=/i);
  });

  test('a card stays well-formed for any text', () => {
    const words = fc.string().map((text) => text.replace(/[\p{Cc}\uFFFE\uFFFF]/gu, ''));
    fc.assert(
      fc.property(words, words, (title, detail) => {
        const svg = parseXml(drawErrorCard({ ...content, title, detail, widthPx: 800, heightPx: 600 }));
        expect(listElements(svg).some(({ name }) => name === 'script')).toBe(false);
      }),
    );
  });

  test('a card has less than 4 KB', () => {
    expect(Buffer.byteLength(drawErrorCard({ ...content, widthPx: 4000, heightPx: 4000 }))).toBeLessThan(
      4_096,
    );
  });
});

describe('makeCardResponse', () => {
  const problem = { status: 429, headers: { 'Retry-After': '9' }, body: '' };
  const limited: Refusal = {
    code: 'rate_limited',
    rateLimit: { limit: 10, remaining: 0, window: computeHourWindow(nowMs) },
  };
  const answer = (
    refusal: Refusal,
    widthPx: number,
    heightPx: number,
    accept: string | undefined = 'image/avif,image/webp,*/*;q=0.8',
  ) => makeCardResponse(problem, refusal, { size: { widthPx, heightPx }, accept, nowMs });

  test('a small card says in a few words when to come back', async () => {
    const [large, small] = await Promise.all([answer(limited, 300, 200), answer(limited, 100, 100)]);
    expect(joinWords(parseXml(large.body))).toContain('It resets in 23 minutes, 19:00 UTC.');
    expect(joinWords(parseXml(small.body))).toContain('In 23 minutes');
  });

  test('a card says which size to use', async () => {
    const fault = { parameter: 'width', bounds: 'a whole number from 100 to 4000, in pixels' };
    const nearest = '/api/image/100x100-cat';
    const refusal: Refusal = { code: 'invalid_parameter', faults: [fault], nearest };
    const [small, large] = await Promise.all([answer(refusal, 100, 100), answer(refusal, 400, 300)]);
    expect(joinWords(parseXml(small.body))).toContain('Use 100x100');
    expect(joinWords(parseXml(large.body))).toContain(`The nearest valid URL: ${nearest}`);
  });

  const makePngResponse = (accept: string | undefined) => {
    globalThis.ERROR_CARDS = '{"rate_limited":"cG5n"}';
    return answer(limited, 300, 200, accept);
  };

  test.each(['image/png', 'image/avif,image/webp,image/apng', 'image/jpeg, image/svg+xml;q=0, text/plain'])(
    'a card is a PNG for a client that shows images and no SVG: %s',
    async (accept) =>
      expect(await makePngResponse(accept)).toEqual({
        status: 429,
        headers: { 'Retry-After': '9', 'Content-Type': 'image/png', 'X-Image-Fallback': 'rate_limited' },
        body: 'cG5n',
        isBase64: true,
      }),
  );

  test.each([
    'image/webp,image/svg+xml',
    'image/png,image/*;q=0.1',
    'image/png,*/*;q=0.1',
    '*/*',
    'text/html',
    '',
    undefined,
  ])('a card is an SVG for every other client: %s', async (accept) =>
    expect((await makePngResponse(accept)).headers['Content-Type']).toBe('image/svg+xml; charset=utf-8'),
  );
});
