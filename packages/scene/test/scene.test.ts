/** What every scene promises, whatever the words, the seed and the size. */
import fc from 'fast-check';
import sharp from 'sharp';
import { drawScene, type SceneRequest, sidePxMax, svgBytesMax } from '../src/draw-scene';
import { elementsOf } from './svg-elements';

const STYLES = ['photo', 'minimal', 'dark', 'illustration'] as const;

/** One query for each subject, and a few that change its light. */
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

/** Queries that name nothing the engine knows. */
const ODD_QUERIES = [
  '',
  ' ',
  '🏔️🌅',
  'שלום עולם',
  'مدينة',
  '山の湖',
  '!?',
  '<script>&"\'',
  'x'.repeat(200),
  '\ud800',
] as const;

const side = fc.oneof(fc.integer({ min: 100, max: 4000 }), fc.integer({ min: 1, max: sidePxMax }));
const request = fc.record(
  {
    words: fc.oneof(
      fc.constantFrom(...QUERIES),
      fc.constantFrom(...ODD_QUERIES),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
    ),
    seed: fc.string({ maxLength: 12 }),
    widthPx: side,
    heightPx: side,
    style: fc.constantFrom(...STYLES),
    variation: fc.integer({ min: 1, max: 10 }),
  },
  { requiredKeys: ['words', 'seed', 'widthPx', 'heightPx'] },
) as fc.Arbitrary<SceneRequest>;

/** Scenes that several tests look at, by their requests. */
const drawn = new Map<string, string>();
const drawOnce = (asked: SceneRequest): string => {
  const key = JSON.stringify(asked);
  const svg = drawn.get(key) ?? drawScene(asked);
  drawn.set(key, svg);
  return svg;
};

describe('a scene', () => {
  test('is the same for the same request, no longer than the bound, and well-formed, without text and outside references', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const svg = drawScene(asked);
        expect(drawScene({ ...asked })).toBe(svg);
        const { widthPx, heightPx } = asked;
        const ratio = Math.max(widthPx / heightPx, heightPx / widthPx);
        expect(Buffer.byteLength(svg)).toBeLessThanOrEqual(ratio <= 4 ? svgBytesMax / 2 : svgBytesMax);
        expect(elementsOf(svg)[0]).toMatchObject({
          name: 'svg',
          attributes: { width: `${widthPx}`, height: `${heightPx}` },
        });
        expect(svg).not.toMatch(/NaN|undefined|Infinity|null|\[object/);
        expect(svg).not.toMatch(/<(text|image|script|foreignObject)|href="[^#]|url\([^#]/);
      }),
      { numRuns: 24 },
    );
  });

  test.each([
    [1920, 1080, 130],
    [1080, 1920, 130],
    [2100, 900, 135],
    [4000, 1000, 220],
    [4000, 100, 500],
    [100, 4000, 130],
  ])('of %i × %i pixels is no longer than %i kilobytes', (widthPx, heightPx, kilobytesMax) => {
    // The two styles with the most detail take turns.
    for (const [index, words] of QUERIES.entries()) {
      const style = (['photo', 'illustration'] as const)[(index + Math.round(widthPx / 100)) % 2] ?? 'photo';
      const svg = drawOnce({ words, seed: '1', widthPx, heightPx, style });
      expect(Buffer.byteLength(svg)).toBeLessThanOrEqual(kilobytesMax * 1024);
    }
  });

  test('refers only to what it defines', () => {
    for (const words of QUERIES) {
      for (const style of ['photo', 'minimal', 'illustration'] as const) {
        const svg = drawOnce({ words, seed: '1', widthPx: 1920, heightPx: 1080, style });
        const known = new Set([...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
        const used = [...svg.matchAll(/(?:url\(|href=")#([^)"]+)/g)].map(([, id]) => id);
        expect(used.filter((id) => !known.has(id))).toEqual([]);
      }
    }
  });

  test('of words that name nothing is abstract, and other words give another', () => {
    const scenes = ODD_QUERIES.map((words) => drawScene({ words, seed: 's', widthPx: 300, heightPx: 200 }));
    expect(new Set(scenes).size).toBe(ODD_QUERIES.length);
  });

  test('counts the first 200 characters of its words', () => {
    const size = { seed: 's', widthPx: 300, heightPx: 200 };
    const words = 'lake '.repeat(40);
    expect(drawScene({ words: `${words}city`, ...size })).toBe(drawScene({ words, ...size }));
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, sidePxMax + 1])(
    'refuses a side of %d pixels',
    (px) => {
      const scene = { words: 'lake', seed: 's' };
      expect(() => drawScene({ ...scene, widthPx: px, heightPx: 100 })).toThrow(RangeError);
      expect(() => drawScene({ ...scene, widthPx: 100, heightPx: px })).toThrow(RangeError);
    },
  );

  test.each([
    [100, 100],
    [400, 300],
    [300, 400],
    [274, 640],
    [1000, 100],
    [101, 997],
  ])('renders to exactly %i × %i pixels', async (widthPx, heightPx) => {
    const svg = Buffer.from(drawScene({ words: 'mountain lake', seed: 'size', widthPx, heightPx }));
    const { info } = await sharp(svg).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([widthPx, heightPx]);
  });

  test('covers the whole image: no pixel is left transparent', async () => {
    for (const [index, words] of QUERIES.entries()) {
      const style = [undefined, ...STYLES][index % 5];
      const svg = drawScene({ words, seed: 'cover', widthPx: 96, heightPx: 54, ...(style && { style }) });
      const pixels = await sharp(Buffer.from(svg)).ensureAlpha().extractChannel('alpha').raw().toBuffer();
      expect({ words, style, opaque: pixels.every((alpha) => alpha > 250) }).toEqual({
        words,
        style,
        opaque: true,
      });
    }
  });
});
