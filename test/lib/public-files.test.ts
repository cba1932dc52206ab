/** Tests the public files: example images, the client package, and a card. */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { type Example, exampleImages, examplesFolder } from '../../lambda/contract/example-images';
import { publicFileMakers, writePublicFiles } from '../../lib/public-files';

test('each example image has its own size and drawing', async () => {
  const drawings = new Set<string>();
  for (const [name, { widthPx: width, heightPx: height }] of Object.entries<Example>(exampleImages)) {
    const file = (await publicFileMakers.get(`${examplesFolder}/${name}.webp`)?.()) as Buffer;
    expect(await sharp(file).metadata()).toMatchObject({ format: 'webp', width, height });
    drawings.add(file.toString('base64'));
  }
  expect(drawings.size).toBe(Object.keys(exampleImages).length);
});

test('a deployment uploads all public files below the open prefix', () => {
  const folder = mkdtempSync(join(tmpdir(), 'public-'));
  writePublicFiles(folder);
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  expect(paths.toSorted()).toEqual([...publicFileMakers.keys()].toSorted());
  expect(paths.every((path) => path.startsWith('public/'))).toBe(true);
  rmSync(folder, { recursive: true });
});
