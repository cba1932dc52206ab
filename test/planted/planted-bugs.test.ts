/** The list of planted bugs fits the sources: `npm run verify -- --planted` plants them. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plantedBugs } from './planted-bugs';

const root = join(__dirname, '../..');

test.each(plantedBugs.map((bug) => [bug.name, bug] as const))('%s: can be planted in one place', (_, bug) => {
  const source = readFileSync(join(root, bug.file), 'utf8');
  expect(source.split(bug.find)).toHaveLength(2);
  expect(existsSync(join(root, bug.test))).toBe(true);
  expect(bug.replace).not.toBe(bug.find);
});
