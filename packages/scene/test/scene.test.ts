/** Tests what holds for every scene, for any words, seed, size and style. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import sharp from 'sharp';
import drawings from '../data/drawings.json';
import wordTable from '../data/words.json';
import { drawScene, type SceneRequest, sidePxMax } from '../src/draw-scene';
import { composeFigures } from '../src/figures';
import { drawWords } from '../src/letters';
import { createScene } from '../src/scene';

const styles = ['photo', 'minimal', 'dark', 'illustration'] as const;
/** No scene is longer than this, in bytes; up to a ratio of 4:1 none is longer than half of it. */
const svgBytesMax = 600_000;
/** A query for each setting, a subject in front, words that name nothing, and text that is no word. */
const queries = [
  ...['mountains', 'mountain lake', 'stormy sea', 'sunset beach', 'autumn forest', 'city night', 'desert'],
  ...[
    'starry night',
    'meadow',
    'winter',
    'foggy hills',
    'airplane',
    'shark',
    'pizza',
    'cat',
    'woman with laptop',
    'team meeting',
    'abstract',
  ],
  ...['quixotic', '', ' ', '🏔️', 'שלום עולם', '!?', '<script>&"\'', 'x'.repeat(200), '\ud800'],
] as const;

const side = fc.oneof(fc.integer({ min: 100, max: 4000 }), fc.integer({ min: 1, max: sidePxMax }));
const anyRequest = fc.record(
  {
    words: fc.oneof(fc.constantFrom(...queries), fc.string({ unit: 'grapheme', maxLength: 300 })),
    seed: fc.string({ maxLength: 12 }),
    widthPx: side,
    heightPx: side,
    style: fc.constantFrom(...styles),
    variation: fc.integer({ min: 1, max: 10 }),
  },
  { requiredKeys: ['words', 'seed', 'widthPx', 'heightPx'] },
) as fc.Arbitrary<SceneRequest>;

const seeds = Array.from({ length: 20 }, (_, index) => String(index + 1));
const size = { widthPx: 96, heightPx: 64 } as const;
const makeScene = (words: string, change: Partial<SceneRequest> = {}): SceneRequest => ({
  words,
  seed: '1',
  ...size,
  ...change,
});

/** The RGBA bytes of a scene in a small size, in which scenes are compared. */
const drawPixels = (request: SceneRequest): Promise<Buffer> =>
  sharp(Buffer.from(drawScene(request)))
    .resize(96, 64, { fit: 'fill' })
    .ensureAlpha()
    .raw()
    .toBuffer();

/** The mean difference of two images of one size, 0 to 255. */
const computeDistance = (one: Buffer, other: Buffer): number =>
  one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length;

const measureBrightness = (pixels: Buffer): number =>
  pixels.reduce((sum, value) => sum + value, 0) / pixels.length;

describe('drawScene', () => {
  test('drawScene returns equal bytes within the bound for equal requests', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const svg = drawScene(request);
        expect(drawScene({ ...request })).toBe(svg);
        const { widthPx, heightPx } = request;
        const ratio = Math.max(widthPx / heightPx, heightPx / widthPx);
        expect(Buffer.byteLength(svg)).toBeLessThanOrEqual(ratio <= 4 ? svgBytesMax / 2 : svgBytesMax);
        expect(svg).not.toMatch(/NaN|undefined|Infinity|null|\[object/);
        expect(svg).not.toMatch(/<(text|image|script|foreignObject)|href="[^#]|url\([^#]/);
      }),
      { numRuns: 60 },
    );
  });

  test.each(queries)('drawScene draws an opaque image of the wanted size: %j', async (words) => {
    const svg = drawScene(makeScene(words, { style: styles[words.length % styles.length] ?? 'photo' }));
    const { data, info } = await sharp(Buffer.from(svg))
      .ensureAlpha()
      .extractChannel(3)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 96, height: 64 });
    expect(Math.min(...data)).toBeGreaterThan(250);
    const defined = new Set([...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    expect([...svg.matchAll(/(?:url\(|href=")#([^)"]+)/g)].filter(([, id]) => !defined.has(id))).toEqual([]);
  });

  test('drawScene counts the first 200 characters of its words', () => {
    expect(drawScene(makeScene(`${'lake '.repeat(40)}city`))).toBe(drawScene(makeScene('lake '.repeat(40))));
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, sidePxMax + 1])(
    'drawScene refuses a side of %d pixels',
    (px) => {
      expect(() => drawScene(makeScene('lake', { widthPx: px }))).toThrow(RangeError);
      expect(() => drawScene(makeScene('lake', { heightPx: px }))).toThrow(RangeError);
    },
  );

  test.each(queries)('drawScene shows the same in every size of a ratio: %j', async (words) => {
    const drawBody = (widthPx: number, heightPx: number) =>
      drawScene(makeScene(words, { widthPx, heightPx })).replace(/ width="\d+" height="\d+"/, '');
    expect(drawBody(sidePxMax, sidePxMax)).toBe(drawBody(100, 100));
    expect(drawBody(8_000, 100)).toBe(drawBody(4_000, 100));
    expect(drawBody(100, 8_000)).toBe(drawBody(100, 4_000));
    const [one, other] = await Promise.all([
      drawPixels(makeScene(words, { widthPx: 150, heightPx: 100 })),
      drawPixels(makeScene(words, { widthPx: 128, heightPx: 85 })),
    ]);
    expect(computeDistance(one, other)).toBeLessThan(6);
  });
});

describe.each(['mountain lake', 'cat', 'laptop', 'quixotic'])('drawScene of %s', (words) => {
  test('a scene looks different in every two styles', async () => {
    const images = await Promise.all(styles.map((style) => drawPixels(makeScene(words, { style }))));
    for (const [index, one] of images.entries())
      for (const other of images.slice(index + 1)) expect(computeDistance(one, other)).toBeGreaterThan(2);
    const [, minimal = Buffer.alloc(1), dark = Buffer.alloc(1)] = images;
    expect(measureBrightness(dark)).toBeLessThan(0.7 * measureBrightness(minimal));
  });

  test('another seed or variation changes a scene', async () => {
    const changes = [{}, { seed: '2' }, { seed: '3' }, { variation: 1 }];
    const images = await Promise.all(changes.map((change) => drawPixels(makeScene(words, change))));
    for (const other of images.slice(1))
      expect(computeDistance(images[0] as Buffer, other)).toBeGreaterThan(0.1);
  });

  test('all variations of a scene have the same light', () => {
    const getLight = (seed: string, variation: number) => {
      const { time, light } = createScene(makeScene(words, { seed, variation }));
      return { time, light };
    };
    for (const variation of [1, 2, 3, 4]) expect(getLight('1', variation)).toEqual(getLight('1', 0));
    const times = ['1', '2', '3', '4', '5', '6', '7', '8'].map((seed) => getLight(seed, 0).time);
    expect(new Set(times).size).toBeGreaterThan(1);
  });
});

test('drawWords keeps accents in both Unicode forms', () => {
  const drawAccented = (words: string) => drawWords({ ...createScene(makeScene('cat')), words });
  expect(drawAccented('Ko\u0308ln')).toBe(drawAccented('Köln'));
  expect(drawAccented('Köln')).not.toBe(drawAccented('Koln'));
});

test.each(['bar chart', 'sustainability', 'convenience store'])(
  'composeFigures never mirrors %s',
  (words) => {
    const mains = seeds.map((seed) => composeFigures(createScene(makeScene(words, { seed })))[0]);
    for (const main of mains) expect(main).toMatchObject({ isMirrored: false });
  },
);

test.each([
  'cat, dog, bird, horse, fish, shark, butterfly, elephant, flower, tree, mushroom, cactus, pizza, coffee',
  'apple, cake, burger, wine, salad, bread, car, bicycle, train, airplane, rocket, sailboat, house, castle',
  'office, desk, laptop, phone, camera, guitar, book, key, light bulb, chart, trophy, heart, smile, support',
  'woman, man, child, doctor, chef, teacher, astronaut, firefighter, family, team meeting, team, wedding',
  'woman with laptop, dog on the beach, city, beach, forest, mountain lake, desert, starry night, xyzzy',
])('each seed draws another scene of %s', (list) => {
  for (const words of list.split(', ')) {
    const drawn = seeds.map((seed) => drawScene(makeScene(words, { seed })));
    expect([words, new Set(drawn).size]).toEqual([words, 20]);
  }
});

test.each([
  ['cat', ['cat', 'cat-face']],
  ['doctor', ['health-worker', 'man-health-worker', 'woman-health-worker']],
])('the seed chooses a drawing of %s', (words, names) => {
  const mains = seeds.map((seed) => composeFigures(createScene(makeScene(words, { seed })))[0]);
  expect([...new Set(mains.map((main) => main?.name))].sort()).toEqual(names);
});

test('the seed chooses the look of a woman', () => {
  const looks = seeds.map((seed) => composeFigures(createScene(makeScene('woman', { seed })))[0]?.look);
  expect(new Set(looks.map(String)).size).toBeGreaterThan(6);
});

test('all drawings that words name exist', () => {
  const combined = Object.keys(wordTable).filter((names) => /[+|]/.test(names));
  const names = combined.flatMap((name) => name.split(/[+|]/));
  for (const name of names) expect(Object.keys(drawings)).toContain(name);
});

test('createScene chooses a time that suits the words', () => {
  const listTimes = (words: string) =>
    new Set(Array.from({ length: 60 }, (_, i) => createScene(makeScene(words, { seed: `${i}` })).time));
  expect(listTimes('laptop')).toEqual(new Set(['day', 'golden']));
  expect(listTimes('beach')).toEqual(new Set(['dawn', 'day', 'golden', 'sunset', 'dusk']));
  expect(listTimes('star')).toEqual(new Set(['night']));
});

test('drawScene returns the same bytes on every platform', () => {
  const hash = createHash('sha256');
  for (const words of queries)
    for (const style of styles) hash.update(drawScene(makeScene(words, { style })));
  expect(hash.digest('hex')).toBe('527e2c6d77e465fdf366a1515951a99fc15868d7419eab7de24262a6b42d3137');
});
