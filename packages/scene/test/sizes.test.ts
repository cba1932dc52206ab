/** A scene is composed by its ratio: at every size of it, also rounded to whole pixels, the same is seen. */
import { drawScene, sidePxMax } from '../src/draw-scene';
import { distance, pixelsAt, pixelsOf } from './pixels';

const QUERIES = [
  'mountain lake',
  'city night',
  'forest',
  'desert',
  'flower meadow',
  'sea',
  'sunset beach',
  'waterfall',
  'winter',
  'starry night',
  'coffee shop',
  'planet',
  'justice',
] as const;
const STYLES = [undefined, 'photo', 'minimal', 'dark', 'illustration'] as const;

describe.each(QUERIES.map((words, index) => ({ words, style: STYLES[index % STYLES.length] })))(
  '$words',
  ({ words, style }) => {
    const scene = { words, seed: 'size', ...(style && { style }) };

    test('is drawn in the same coordinates at every size of a ratio', () => {
      const body = (widthPx: number, heightPx: number): string =>
        drawScene({ ...scene, widthPx, heightPx }).replace(/ width="\d+" height="\d+"/, '');
      expect(body(sidePxMax, sidePxMax)).toBe(body(100, 100));
      expect(body(1600, 1200)).toBe(body(100, 75));
    });

    test('keeps its composition where a height is rounded to whole pixels', async () => {
      const small = { widthPx: 72, heightPx: 48 };
      // Widths of responsive images at 3:2, whose heights are no whole numbers.
      const [first, ...others] = await Promise.all(
        [1200, 128, 640].map((widthPx) =>
          pixelsAt({ ...scene, widthPx, heightPx: Math.round((widthPx * 2) / 3) }, small),
        ),
      );
      for (const other of others) expect(distance(first ?? Buffer.alloc(0), other)).toBeLessThan(6);
    });
  },
);

test.each(['mountain lake', 'city night'])('shows the same at 100 and 800 pixels: %s', async (words) => {
  const small = { widthPx: 100, heightPx: 75 };
  const [first, ...others] = await Promise.all(
    [1, 8].map((times) =>
      pixelsOf({ words, seed: 'size', widthPx: 100 * times, heightPx: 75 * times }, small),
    ),
  );
  for (const other of others) expect(distance(first ?? Buffer.alloc(0), other)).toBeLessThan(5);
});

test('a panorama is one composition: neither half of it repeats or mirrors the other', async () => {
  for (const words of ['mountain lake', 'city', 'sunset beach', 'forest', 'coffee shop']) {
    const [widthPx, heightPx] = [400, 50];
    const pixels = await pixelsOf({ words, seed: 'wide', widthPx, heightPx });
    const at = (x: number, y: number): number => pixels[3 * (y * widthPx + x) + 1] ?? 0;
    const differs = (other: (x: number) => number): number => {
      let edges = 0;
      for (let y = 0; y < heightPx; y += 1)
        for (let x = 0; x < widthPx / 2; x += 1) if (Math.abs(at(x, y) - at(other(x), y)) > 12) edges += 1;
      return edges / (heightPx * (widthPx / 2));
    };
    // A quarter is where the mirrored continuation of a 4:1 scene had its axis.
    const mirrored =
      (axis: number) =>
      (x: number): number =>
        Math.abs(Math.round(2 * axis - x)) % widthPx;
    for (const axis of [widthPx / 4, widthPx / 2]) expect(differs(mirrored(axis))).toBeGreaterThan(0.03);
    expect(differs((x) => x + widthPx / 2)).toBeGreaterThan(0.03);
  }
});
