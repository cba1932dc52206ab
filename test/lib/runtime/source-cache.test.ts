/** What is kept for other test files is found again for the same inputs alone. */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../../lib/functions/bundle';
import { digestOf, madeOnce } from './source-cache';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'source-cache-'));
  mkdirSync(join(root, 'lib', 'deep'), { recursive: true });
  writeFileSync(join(root, 'lib', 'deep', 'a.ts'), 'one');
  writeFileSync(join(root, 'cdk.json'), '{}');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const digest = (environment = {}) => digestOf(root, ['lib', 'cdk.json', 'package.json'], environment);

test.each<[string, () => void]>([
  ['other bytes of the same length', () => writeFileSync(join(root, 'lib', 'deep', 'a.ts'), 'two')],
  ['a new file', () => writeFileSync(join(root, 'lib', 'b.ts'), '')],
  ['a file that goes', () => rmSync(join(root, 'lib', 'deep', 'a.ts'))],
  ['an input that was missing', () => writeFileSync(join(root, 'package.json'), '')],
])('%s gives another digest', (_, change) => {
  const before = digest();
  expect(digest()).toBe(before);
  change();
  expect(digest()).not.toBe(before);
});

test('a variable that the CDK reads gives another digest, and one that nothing reads does not', () => {
  expect(digest({ CDK_DEFAULT_REGION: 'eu-west-1' })).not.toBe(digest());
  expect(digest({ JEST_WORKER_ID: '2' })).toBe(digest());
});

test('the same is made once, something else by itself, and nothing of a failure is kept', () => {
  const about = ['test of the cache', root];
  let made = 0;
  const make = (folder: string) => {
    made += 1;
    writeFileSync(join(projectRoot, folder, 'made.txt'), `${made}`);
  };
  const failing = () => {
    throw new Error('not made');
  };
  expect(() => madeOnce(about, failing)).toThrow('not made');
  const first = madeOnce(about, make);
  const other = madeOnce([...about, 'other'], make);
  try {
    expect(madeOnce(about, failing)).toBe(first);
    expect(other).not.toBe(first);
    expect(readFileSync(join(projectRoot, first, 'made.txt'), 'utf8')).toBe('1');
    expect(existsSync(join(projectRoot, other, 'made.txt'))).toBe(true);
  } finally {
    for (const folder of [first, other]) rmSync(join(projectRoot, folder), { recursive: true, force: true });
  }
});
