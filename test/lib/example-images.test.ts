/** The example pictures: files of the stated sizes, at paths that follow from their content. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { type Example, examples } from '../../lambda/contract/examples';
import { openImagePrefixes } from '../../lambda/contract/image-paths';
import { drawExample, examplePaths, examplesFolder, examplesProgram } from '../../lib/example-images';

test('each is drawn in its size, as no other one is', async () => {
  const drawn = new Set<string>();
  for (const [name, { widthPx: width, heightPx: height }] of Object.entries<Example>(examples)) {
    const file = await drawExample(name);
    expect(await sharp(file).metadata()).toMatchObject({ format: 'webp', width, height });
    drawn.add(file.toString('base64'));
  }
  expect(drawn.size).toBe(25);
  await expect(drawExample('none')).rejects.toThrow('none is no example');
});

test('they are open to everybody, at the paths to which the program writes them', () => {
  expect(openImagePrefixes.some((prefix) => examplesFolder().startsWith(prefix))).toBe(true);
  const folder = mkdtempSync(join(tmpdir(), 'examples-'));
  execFileSync(process.execPath, ['--no-warnings', '--import', 'tsx', examplesProgram, folder]);
  const written = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(folder.length + 1));
  expect(written.toSorted()).toEqual([...examplePaths().values()].toSorted());
  rmSync(folder, { recursive: true });
});
