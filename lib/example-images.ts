/** The example pictures of the service's own pages as files: all of them for a deployment, each on first need locally. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { examples, examplesPrefix } from '../lambda/contract/examples';
import { contentHash } from './content-hash';

/** Program that writes all of them below the folder that its one argument names, at their paths. */
export const examplesProgram = __filename;

/** Media type of the files. */
export const exampleType = 'image/webp';

/** What decides the bytes of the pictures: the last are the packages that make them. */
const sources = [
  'lambda/contract/examples.ts',
  'packages/scene/src',
  'packages/scene/data',
  'package-lock.json',
];

const fileOf = (name: string) => `${name}.webp`;

/** Folder of the examples below the image distribution, and in the image bucket. */
export function examplesFolder(): string {
  return `${examplesPrefix}${contentHash(sources)}`;
}

/** Path of each example by its name. */
export function examplePaths(): ReadonlyMap<string, string> {
  const folder = examplesFolder();
  return new Map(Object.keys(examples).map((name) => [name, `${folder}/${fileOf(name)}`]));
}

/** The file of an example. What draws is loaded on first need: the paths are read at every start. */
export async function drawExample(name: string): Promise<Buffer> {
  const [{ drawScene }, { default: sharp }] = await Promise.all([
    import('@image-redirect/scene'),
    import('sharp'),
  ]);
  const example = examples[name];
  if (!example) throw new Error(`${name} is no example`);
  const svg = drawScene({ ...example, seed: '', style: 'photo' });
  return sharp(Buffer.from(svg)).webp({ quality: 40, effort: 6 }).toBuffer();
}

async function drawAll(folder: string): Promise<void> {
  for (const [name, path] of examplePaths()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), await drawExample(name));
  }
}

if (require.main === module) void drawAll(process.argv[2] ?? '.');
