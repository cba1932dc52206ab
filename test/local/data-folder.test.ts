/** What is wrong with a data folder is said in one line, with what to do about it. */

import { wordsFor } from '../../local/data-folder';

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
