/** The documentation: each relative link leads to a file, and each decision record has its number and its parts. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const root = join(__dirname, '..');
const ignored = new Set(['node_modules', 'template']);

function markdownBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return ignored.has(entry.name) || entry.name.startsWith('.') ? [] : markdownBelow(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

const documents = markdownBelow('.');
const records = documents.filter((path) => path.startsWith(join('docs', 'decisions')));

test.each(documents)('%s links to what exists', (path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const targets = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)[^)]*\)/g)].map(
    ([, target]) => target,
  );
  const missing = targets.filter((target) => !existsSync(join(root, dirname(path), target as string)));
  expect(missing).toEqual([]);
});

describe('a decision record', () => {
  test('has a number of its own', () => {
    const numbers = records.map((path) => basename(path).slice(0, 4));
    expect(numbers).toEqual([...new Set(numbers)]);
  });

  test.each(records)('%s says in which context what was decided, and what follows', (path) => {
    const text = readFileSync(join(root, path), 'utf8');
    expect(text).toMatch(new RegExp(`^# ${Number(basename(path).slice(0, 4))}\\. `));
    expect(text).toMatch(/^\*\*Status\.\*\* (Accepted|Replaced)/m);
    const parts = [...text.matchAll(/^## (.+)$/gm)].map(([, part]) => part);
    expect(parts).toEqual(['Context', 'Options considered', 'Decision', 'Consequence']);
  });
});
