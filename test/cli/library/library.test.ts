/** The commands for photographs as people use them: what is written to a folder can be added again as it was. */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { type LocalFixture, startLocalFixture } from '../local-fixture';

jest.setTimeout(60_000);

let fixture: LocalFixture;
let folder: string;
const library = (...args: string[]) => fixture.run('library', ...args);
/** A folder with one photograph, which others may have of the same name. */
const folderOf = async (name: string, background: string, row: string) => {
  const path = join(folder, name);
  mkdirSync(path);
  const plain = sharp({ create: { width: 120, height: 100, channels: 3, background } });
  await plain.png().toFile(join(path, 'lake.png'));
  writeFileSync(join(path, 'library.csv'), `file,title,keywords,license\nlake.png,${row}\n`);
  return path;
};

beforeAll(async () => {
  fixture = await startLocalFixture();
  folder = mkdtempSync(join(tmpdir(), 'library-'));
});
afterAll(async () => {
  await fixture.stop();
  rmSync(folder, { recursive: true });
});

test('files of one name, from two folders, are exported side by side, and are known when they are added again', async () => {
  const one = await folderOf('one', 'teal', '"Lake, at dawn",alps;mist,CC0');
  const two = await folderOf('two', 'navy', 'Lake,,"Ours, only"');
  writeFileSync(join(two, 'cut.png'), readFileSync(join(two, 'lake.png')).subarray(0, 60));
  expect((await library('list')).stdout).toBe('There are no photographs.\n');
  expect((await library('add', one)).stdout).toBe('Added 1 photograph; 0 known already, 0 refused.\n');
  const second = await library('add', two);
  expect([second.exitCode, second.stdout]).toEqual([
    1,
    expect.stringMatching(
      /^Added 1 photograph; 0 known already, 1 refused\.\n\nFILE +REFUSED BECAUSE\ncut\.png +It /,
    ),
  ]);
  const out = join(folder, 'out');
  expect((await library('export', out)).stdout).toBe(`Wrote 2 photographs and library.csv to ${out}.\n`);
  const { images } = (await library('list', '--json')).json<{ images: { id: string; file: string }[] }>();
  const files = images.map(({ file }, i) => (i === 0 ? file : `${images[i]?.id}/${file}`));
  expect(files.map((file) => existsSync(join(out, file)))).toEqual([true, true]);
  const table = readFileSync(join(out, 'library.csv'), 'utf8');
  expect(table).toContain('"Lake, at dawn",,alps;mist,,,CC0,');
  expect(table).toContain('Lake,,,,,"Ours, only",');
  expect((await library('add', out, '--json')).json()).toEqual({ added: 0, known: 2, refused: [] });
  expect((await library('list')).stdout).toMatch(
    /lake\.png +Lake, at dawn +120 × 100 +everybody +\d{4}-\d\d-\d\d\n/,
  );
});

test('an image whose file is missing is not exported as if it were there', async () => {
  const stored = join(fixture.folder, 'images');
  const files = readdirSync(stored, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.png'))) rmSync(join(stored, file));
  const ended = await library('export', join(folder, 'none'));
  expect([ended.exitCode, ended.stderr]).toEqual([
    1,
    expect.stringMatching(/^The file of photograph \w+ is missing/),
  ]);
});
