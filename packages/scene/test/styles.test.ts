/** In what scenes differ, and in what they stay alike. */
import { drawScene, type SceneRequest } from '../src/draw-scene';
import { distance, pixelsOf } from './pixels';

const QUERIES = ['mountain lake', 'forest', 'desert', 'flower meadow', 'sea'] as const;
const SIZE = { widthPx: 128, heightPx: 72 } as const;

interface Measures {
  readonly brightness: number;
  readonly colourfulness: number;
  readonly edges: number;
  readonly elements: number;
}

async function measure(request: SceneRequest): Promise<Measures> {
  const pixels = await pixelsOf(request);
  let brightness = 0;
  let colourfulness = 0;
  let edges = 0;
  for (let at = 0; at < pixels.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3);
    brightness += (red + green + blue) / 3;
    colourfulness += Math.max(red, green, blue) - Math.min(red, green, blue);
    if (Math.abs(green - (pixels[at + 4] ?? green)) > 24) edges += 1;
  }
  const count = pixels.length / 3;
  const elements = drawScene(request).split('<').length;
  return {
    brightness: brightness / count,
    colourfulness: colourfulness / count,
    edges: edges / count,
    elements,
  };
}

describe('the styles of one query', () => {
  test.each(QUERIES)('are clearly different: %s', async (words) => {
    const base = { words, seed: 'styles', ...SIZE };
    const photo = await measure({ ...base, style: 'photo' });
    const minimal = await measure({ ...base, style: 'minimal' });
    const dark = await measure({ ...base, style: 'dark' });
    const illustration = await measure({ ...base, style: 'illustration' });

    expect(dark.brightness).toBeLessThan(75);
    expect(dark.brightness).toBeLessThan(0.7 * Math.min(photo.brightness, illustration.brightness));
    expect(minimal.brightness).toBeGreaterThan(150);
    expect(minimal.elements).toBeLessThan(30);
    expect(minimal.elements).toBeLessThan(0.5 * photo.elements);
    expect(illustration.edges).toBeGreaterThan(photo.edges);
    expect(illustration.colourfulness).toBeGreaterThan(minimal.colourfulness);
  });

  test('are pairwise far apart, the plain one included', async () => {
    const styles = ['photo', 'minimal', 'dark', 'illustration'] as const;
    const base = { words: 'mountain lake', seed: 'pairs', ...SIZE };
    const scenes = [
      await pixelsOf(base),
      ...(await Promise.all(styles.map((style) => pixelsOf({ ...base, style })))),
    ];
    for (const [index, one] of scenes.entries()) {
      for (const other of scenes.slice(index + 1)) expect(distance(one, other)).toBeGreaterThan(4);
    }
  });
});

describe('seed and variation', () => {
  test.each(QUERIES)('another seed gives another scene: %s', async (words) => {
    const [first, second] = await Promise.all(
      ['one', 'two'].map((seed) => pixelsOf({ words, seed, ...SIZE })),
    );
    expect(distance(first ?? Buffer.alloc(0), second ?? Buffer.alloc(0))).toBeGreaterThan(8);
  });

  test.each(QUERIES)('another variation changes the composition and keeps the light: %s', async (words) => {
    const base = { words, seed: 'same', ...SIZE };
    const [first, second] = await Promise.all([
      pixelsOf({ ...base, variation: 1 }),
      pixelsOf({ ...base, variation: 2 }),
    ]);
    expect(distance(first, second)).toBeGreaterThan(2);
    // The sky's upper edge shows the palette; clouds may differ there.
    const zenith = (pixels: Buffer, channel: number): number => {
      const row = pixels.subarray(0, 3 * SIZE.widthPx).filter((_, at) => at % 3 === channel);
      return row.reduce((sum, value) => sum + value, 0) / row.length;
    };
    for (const channel of [0, 1, 2]) {
      expect(Math.abs(zenith(first, channel) - zenith(second, channel))).toBeLessThan(40);
    }
  });

  test('unknown words differ in form: six of them give six scenes that are far apart', async () => {
    const words = 'justice quixotic zebra laptop yoga music'.split(' ');
    const scenes = await Promise.all(words.map((word) => pixelsOf({ words: word, seed: 'x', ...SIZE })));
    for (const [index, one] of scenes.entries()) {
      for (const other of scenes.slice(index + 1)) expect(distance(one, other)).toBeGreaterThan(6);
    }
  });
});
