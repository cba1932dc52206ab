/** What is wrong with a data folder is said in one line, with what to do about it. */

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryTables, wordsFor } from '../../local/data-folder';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'data-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const refusalOf = (path: string) =>
  tryTables(path).then(
    () => 'none',
    (error: Error) => error.message,
  );

it('takes an empty folder, and the one it has made', async () => {
  const path = join(folder, 'tables');
  expect(await refusalOf(path)).toBe('none');
  expect(await refusalOf(path)).toBe('none');
});

it('says that a file is no folder', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(await refusalOf(file)).toMatch(/is not a folder.*--data/);
  expect(await refusalOf(join(file, 'tables'))).toMatch(/is not a folder.*--data/);
});

it('says that tables are damaged, not that they are in use', async () => {
  await tryTables(folder);
  const manifests = readdirSync(folder).filter((name) => name.startsWith('MANIFEST'));
  expect(manifests).toHaveLength(1);
  for (const name of manifests) writeFileSync(join(folder, name), 'damaged');
  const refusal = await refusalOf(folder);
  expect(refusal).toMatch(/are damaged.*Restore.*delete/);
  expect(refusal).not.toContain('\n');
});

it.each([
  ['a full disk, from the file system', { code: 'ENOSPC' }, 'Free some space'],
  [
    'a full disk, from the store',
    { cause: { code: 'LEVEL_IO_ERROR', message: 'IO error: x/000005.log: No space left on device' } },
    'Free some space',
  ],
  [
    'a disk that fails',
    { code: 'LEVEL_IO_ERROR', message: 'IO error: x/000005.log: File too large' },
    'any more',
  ],
  ['a read-only disk', { cause: { message: 'IO error: x/LOCK: Read-only file system' } }, 'permissions'],
  ['a read-only disk, from the file system', { code: 'EROFS' }, 'permissions'],
  ['a missing permission', { code: 'EACCES' }, 'permissions'],
  ['a folder of another user', { code: 'EPERM' }, 'permissions'],
  ['a file that has gone, from the store', { cause: { message: 'x: No such file or directory' } }, 'damaged'],
  ['a folder that another process holds', { cause: { code: 'LEVEL_LOCKED' } }, 'in use by another process'],
  ['anything else', { message: 'It failed', cause: { message: 'Strange\nsecond line' } }, 'opened: Strange'],
])('has words for %s', (_, error, words) => {
  const said = wordsFor('x', error);
  expect(said).toContain(words);
  expect(said).not.toContain('\n');
});
