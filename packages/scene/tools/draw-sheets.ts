/** Draws the images that the READMEs show: `npm run images --workspace packages/scene`. */
import { join } from 'node:path';
import sharp from 'sharp';
import { drawScene } from '../src/draw-scene';

const styles = ['photo', 'minimal', 'dark', 'illustration'] as const;
const inEveryStyle = (words: string, seed: string) => styles.map((style) => ({ words, seed, style }));
const inOne = (...list: string[]) => list.map((words, at) => ({ words, seed: `${at}`, style: undefined }));

const sheets = [
  {
    file: '../../../docs/images.jpg',
    columns: 4,
    scenes: [...inOne('mountain lake', 'teacher', 'cat', 'coffee'), ...inEveryStyle('mountain lake', '1')],
  },
  {
    file: '../docs/subjects.jpg',
    columns: 5,
    scenes: [
      ...inOne('mountain lake', 'sunset beach', 'forest', 'city night', 'winter', 'dentist', 'laptop', 'cat'),
      ...inOne('pizza', 'firefighter', 'bicycle', 'shark', 'rocket', 'living room', 'quixotic'),
    ],
  },
  {
    file: '../docs/styles.jpg',
    columns: 4,
    scenes: ['lake', 'dog', 'coffee'].flatMap((words) => inEveryStyle(words, '2')),
  },
];

const [widthPx, heightPx, gapPx] = [300, 200, 6];

async function drawSheet({ file, columns, scenes }: (typeof sheets)[number]): Promise<void> {
  const images = scenes.map(async ({ words, seed, style }, index) => ({
    // Drawn twice as large and scaled down, which smooths the edges.
    input: await sharp(
      Buffer.from(
        drawScene({ words, seed, ...(style && { style }), widthPx: 2 * widthPx, heightPx: 2 * heightPx }),
      ),
    )
      .resize(widthPx, heightPx)
      .png()
      .toBuffer(),
    left: (index % columns) * (widthPx + gapPx),
    top: Math.floor(index / columns) * (heightPx + gapPx),
  }));
  const width = columns * (widthPx + gapPx) - gapPx;
  const height = Math.ceil(scenes.length / columns) * (heightPx + gapPx) - gapPx;
  await sharp({ create: { width, height, channels: 3, background: '#ffffff' } })
    .composite(await Promise.all(images))
    .jpeg({ quality: 80, mozjpeg: true })
    .toFile(join(__dirname, file));
}

void Promise.all(sheets.map(drawSheet));
