/** Properties of every generated scene, for any words, seed and size. */
import fc from 'fast-check';
import sharp from 'sharp';
import { drawScene, type SceneRequest } from '../../../lambda/domain/drawing/draw-scene';

const STYLES = [undefined, 'photo', 'minimal', 'dark', 'illustration'] as const;

/** One query for each motif, and a few that change its light. */
const QUERIES = [
  'mountains',
  'mountain lake',
  'city lake',
  'stormy sea',
  'sunset beach',
  'forest',
  'autumn forest',
  'city night',
  'desert',
  'starry night',
  'flower meadow',
  'waterfall',
  'winter river',
  'snow',
  'coffee shop',
  'planet',
  'foggy hills',
  'justice',
  'quixotic',
] as const;

const request = fc.record(
  {
    words: fc.oneof(
      fc.constantFrom(...QUERIES),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    ),
    seed: fc.string({ maxLength: 12 }),
    widthPx: fc.integer({ min: 100, max: 4000 }),
    heightPx: fc.integer({ min: 100, max: 4000 }),
    style: fc.constantFrom('photo', 'minimal', 'dark', 'illustration'),
    variation: fc.integer({ min: 1, max: 10 }),
  },
  { requiredKeys: ['words', 'seed', 'widthPx', 'heightPx'] },
) as fc.Arbitrary<SceneRequest>;

describe('a drawn image', () => {
  test('is the same, byte for byte, for the same request', () => {
    fc.assert(
      fc.property(request, (asked) => {
        expect(drawScene({ ...asked })).toBe(drawScene(asked));
      }),
      { numRuns: 15 },
    );
  });

  test('has numbers everywhere a number belongs, exact size attributes, no text and no outside reference', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const svg = drawScene(asked);
        expect(svg).not.toMatch(/NaN|undefined|Infinity|null|\[object/);
        expect(svg).toMatch(
          new RegExp(`^<svg xmlns="[^"]+" width="${asked.widthPx}" height="${asked.heightPx}" `),
        );
        expect(svg).not.toMatch(/<(text|image|script|foreignObject)|href="[^#]|url\([^#]/);
      }),
      { numRuns: 30 },
    );
  });

  test('refers only to what it defines', () => {
    for (const words of QUERIES) {
      for (const style of ['photo', 'minimal', 'illustration'] as const) {
        const svg = drawScene({ words, seed: 's', widthPx: 300, heightPx: 200, style });
        const known = new Set([...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
        const used = [...svg.matchAll(/(?:url\(|href=")#([^)"]+)/g)].map(([, id]) => id);
        expect(used.filter((id) => !known.has(id))).toEqual([]);
      }
    }
  });

  test.each([
    [1920, 1080, 120],
    [1080, 1920, 120],
    [2100, 900, 120],
    [4000, 100, 140],
    [100, 4000, 120],
  ])('of %i × %i pixels is no longer than %i kilobytes', (widthPx, heightPx, kilobytesMax) => {
    for (const words of QUERIES) {
      for (const style of ['photo', 'illustration'] as const) {
        const svg = drawScene({ words, seed: '1', widthPx, heightPx, style });
        expect(Buffer.byteLength(svg)).toBeLessThanOrEqual(kilobytesMax * 1024);
      }
    }
  });

  test.each([
    [100, 100],
    [400, 300],
    [300, 400],
    [274, 640],
    [1000, 100],
    [101, 997],
  ])('renders to exactly %i × %i pixels', async (widthPx, heightPx) => {
    for (const words of ['mountain lake', 'city night', 'justice']) {
      const svg = Buffer.from(drawScene({ words, seed: 'size', widthPx, heightPx }));
      const { info } = await sharp(svg).raw().toBuffer({ resolveWithObject: true });
      expect([info.width, info.height]).toEqual([widthPx, heightPx]);
    }
  });

  test('covers the image: no pixel is left transparent', async () => {
    for (const [index, words] of QUERIES.entries()) {
      const style = STYLES[index % STYLES.length];
      const svg = drawScene({ words, seed: 'cover', widthPx: 160, heightPx: 90, ...(style && { style }) });
      const pixels = await sharp(Buffer.from(svg)).ensureAlpha().extractChannel('alpha').raw().toBuffer();
      expect({ words, style, opaque: pixels.every((alpha) => alpha > 250) }).toEqual({
        words,
        style,
        opaque: true,
      });
    }
  });
});
