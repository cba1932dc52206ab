/** Draws the images that the READMEs show: `npm run images --workspace packages/scene`. */
import { join } from 'node:path';
import sharp from 'sharp';
import { drawScene, type SceneRequest } from '../src/draw-scene';

interface Sheet {
  readonly file: string;
  readonly columns: number;
  /** The size of one scene on the sheet. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly scenes: readonly Pick<SceneRequest, 'words' | 'seed' | 'style'>[];
}

const STYLES = ['photo', 'minimal', 'dark', 'illustration'] as const;
const inEveryStyle = (words: string, seed: string) => STYLES.map((style) => ({ words, seed, style }));

const SHEETS: readonly Sheet[] = [
  {
    file: '../../../docs/images.jpg',
    columns: 4,
    widthPx: 400,
    heightPx: 267,
    scenes: [
      { words: 'mountain lake', seed: '3' },
      { words: 'sunset sea', seed: '9' },
      { words: 'city night', seed: '2' },
      { words: 'street café', seed: '1' },
      ...inEveryStyle('mountain lake', '1'),
    ],
  },
  {
    file: '../docs/subjects.jpg',
    columns: 5,
    widthPx: 300,
    heightPx: 200,
    scenes: [
      { words: 'mountains', seed: '7' },
      { words: 'mountain lake', seed: '5' },
      { words: 'lighthouse', seed: '2' },
      { words: 'sunset beach', seed: '2' },
      { words: 'waterfall', seed: '2' },
      { words: 'river valley', seed: '1' },
      { words: 'autumn forest', seed: '2' },
      { words: 'forest', seed: '2' },
      { words: 'flower meadow', seed: '1' },
      { words: 'desert', seed: '1' },
      { words: 'winter', seed: '2' },
      { words: 'city night', seed: '7' },
      { words: 'coffee shop', seed: '1' },
      { words: 'camping', seed: '7' },
      { words: 'planet', seed: '2' },
    ],
  },
  {
    file: '../docs/styles.jpg',
    columns: 4,
    widthPx: 300,
    heightPx: 200,
    scenes: [
      ...inEveryStyle('waterfall', '2'),
      ...inEveryStyle('winter', '1'),
      ...inEveryStyle('desert', '1'),
      ...inEveryStyle('zebra', '7'),
    ],
  },
  {
    file: '../docs/panoramas.jpg',
    columns: 1,
    widthPx: 1200,
    heightPx: 150,
    scenes: [
      { words: 'mountain lake', seed: '1' },
      { words: 'city night', seed: '1' },
      { words: 'sunset beach', seed: '1' },
      { words: 'coffee shop', seed: '1' },
    ],
  },
];

const GAP_PX = 6;

async function drawSheet({ file, columns, widthPx, heightPx, scenes }: Sheet): Promise<void> {
  const tiles = scenes.map((scene, index) => ({
    // Drawn twice as large and scaled down, which smooths the edges.
    svg: Buffer.from(drawScene({ ...scene, widthPx: 2 * widthPx, heightPx: 2 * heightPx })),
    left: (index % columns) * (widthPx + GAP_PX),
    top: Math.floor(index / columns) * (heightPx + GAP_PX),
  }));
  const images = tiles.map(async ({ svg, left, top }) => ({
    input: await sharp(svg).resize(widthPx, heightPx).png().toBuffer(),
    ...{ left, top },
  }));
  const width = columns * (widthPx + GAP_PX) - GAP_PX;
  const height = Math.ceil(scenes.length / columns) * (heightPx + GAP_PX) - GAP_PX;
  await sharp({ create: { width, height, channels: 3, background: '#ffffff' } })
    .composite(await Promise.all(images))
    .jpeg({ quality: 80, mozjpeg: true })
    .toFile(join(__dirname, file));
}

Promise.all(SHEETS.map(drawSheet)).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
