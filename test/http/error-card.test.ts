/** The error card: the requested size, readable text and well-formed XML at every size. */

import fc from 'fast-check';
import { errorCard } from '../../lambda/http/error-card';
import { detailOf, problems } from '../../lambda/problems/problem';
import { elementsOf, wellFormed } from '../requests/well-formed';

const code = 'upstream_unavailable';
const content = { ...problems[code], code, detail: detailOf({ code }) };
const at = (widthPx: number, heightPx: number) => wellFormed(errorCard({ ...content, widthPx, heightPx }));
const textsOf = (root: ReturnType<typeof at>) => elementsOf(root).filter(({ name }) => name === 'text');
const side = fc.oneof(fc.integer({ min: 100, max: 4000 }), fc.constantFrom(100, 101, 200, 400, 4000));

describe('a card', () => {
  it('has exactly the requested size', () => {
    fc.assert(
      fc.property(side, side, (width, height) => {
        expect(at(width, height)).toMatchObject({
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

  it('keeps its text readable and off its edges', () => {
    fc.assert(
      fc.property(side, side, (width, height) => {
        const texts = textsOf(at(width, height));
        expect(texts.length).toBeGreaterThan(0);
        // A number alone is as large as it can be.
        const marginPx = texts.length > 1 ? 5.5 : -0.5;
        let above = 0;
        for (const { attributes, children } of texts) {
          const sizePx = Number(attributes['font-size']);
          const baselinePx = Number(attributes['y']);
          expect(sizePx).toBeGreaterThanOrEqual(8);
          expect(baselinePx - sizePx).toBeGreaterThanOrEqual(marginPx);
          expect(baselinePx + sizePx * 0.3).toBeLessThanOrEqual(height - Math.max(0, marginPx));
          // Half an em is what an average letter takes in common fonts.
          expect(String(children[0]).length * sizePx * 0.5).toBeLessThanOrEqual(width);
          expect(baselinePx - above).toBeGreaterThanOrEqual(sizePx * 0.9);
          above = baselinePx;
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [1920, 1080],
    [1080, 1350],
    [640, 480],
    [400, 300],
    [300, 200],
  ])('of %d × %d shows the error, its reason, status and code', (width, height) => {
    const words = textsOf(at(width, height))
      .map(({ children }) => String(children[0]))
      .join(' ');
    expect(words).toContain(content.title);
    expect(words).toContain(content.detail);
    expect(words).toContain('502');
    expect(words).toContain(code);
  });

  it('of the smallest size still shows a text', () => {
    expect(
      textsOf(at(100, 100))
        .map(({ children }) => String(children[0]))
        .join(' '),
    ).toMatch(/502|[Ii]mage source/);
  });

  it('has the same text for screen readers', () => {
    const svg = at(640, 480);
    expect(svg.attributes).toMatchObject({ role: 'img', 'aria-label': `502 ${content.title}` });
    expect(elementsOf(svg).find(({ name }) => name === 'desc')?.children).toEqual([content.detail]);
  });

  it('loads nothing and runs nothing', () => {
    const svg = errorCard({ ...content, widthPx: 640, heightPx: 480 });
    expect(svg).not.toMatch(/<script|href|@import|url\((?!#)|\son\w+=/i);
  });

  it('stays well-formed for any text', () => {
    const words = fc.string().map((text) => text.replace(/[\p{Cc}\uFFFE\uFFFF]/gu, ''));
    fc.assert(
      fc.property(words, words, (title, detail) => {
        const svg = wellFormed(errorCard({ ...content, title, detail, widthPx: 800, heightPx: 600 }));
        expect(elementsOf(svg).some(({ name }) => name === 'script')).toBe(false);
      }),
    );
  });

  it('is small: a page full of them is no burden', () => {
    expect(Buffer.byteLength(errorCard({ ...content, widthPx: 4000, heightPx: 4000 }))).toBeLessThan(4_096);
  });
});
