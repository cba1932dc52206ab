/** Tests `library` from the outside. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { makeTestFolder, startFixture } from '../../fakes/fixture';
import { startLocalFixture } from '../local-fixture';

const fixture = startFixture(startLocalFixture);
const folder = makeTestFolder();
const runLibrary = (...args: string[]) => fixture.run('library', ...args);
/** A folder with one photograph, which others may have of the same name. */
const makeFolder = async (name: string, background: string, row: string) => {
  const path = join(folder, name);
  mkdirSync(path);
  const plain = sharp({ create: { width: 120, height: 100, channels: 3, background } });
  await plain.png().toFile(join(path, 'lake.png'));
  writeFileSync(join(path, 'library.csv'), `file,title,keywords,license\nlake.png,${row}\n`);
  return path;
};

test('library add takes photographs of two folders with the same file name once each', async () => {
  const one = await makeFolder('one', 'teal', '"Lake, at dawn",alps;mist,CC0');
  const two = await makeFolder('two', 'navy', 'Lake,,"Ours, only"');
  writeFileSync(join(two, 'cut.png'), readFileSync(join(two, 'lake.png')).subarray(0, 60));
  expect((await runLibrary('list')).stdout).toBe('There are no photographs.\n');
  expect((await runLibrary('add', one)).stdout).toBe('Added 1 photograph; 0 known already, 0 refused.\n');
  const second = await runLibrary('add', two);
  expect([second.exitCode, second.stdout]).toEqual([
    1,
    expect.stringMatching(
      /^Added 1 photograph; 0 known already, 1 refused\.\n\nFILE +REFUSED BECAUSE\ncut\.png +It /,
    ),
  ]);
  expect((await runLibrary('add', one, '--json')).json()).toEqual({ added: 0, known: 1, refused: [] });
  expect((await runLibrary('list')).stdout).toMatch(
    / 120 × 100 +\d{4}-\d\d-\d\d +lake\.png +Lake, at dawn\n/,
  );
  type Listed = Readonly<Record<'id' | 'title', string>>;
  const { images } = (await runLibrary('list', '--json')).json<{ images: Listed[] }>();
  expect(images).toMatchObject([
    { file: 'lake.png', title: 'Lake, at dawn', keywords: ['alps', 'mist'] },
    { file: 'lake.png', title: 'Lake', keywords: [] },
  ]);
  const [{ id }, other] = images as [Listed, Listed];
  expect((await runLibrary('remove', id)).exitCode).toBe(4);
  expect((await runLibrary('remove', id, '--yes', '--json')).json()).toEqual({ removed: [id] });
  const again = await runLibrary('remove', id, other.id, '--yes');
  expect([again.exitCode, again.stderr]).toEqual([3, expect.stringContaining(`no photograph ${id}`)]);
  expect((await runLibrary('list', '--json')).json()).toMatchObject({ images: [{ id: other.id }] });
});
