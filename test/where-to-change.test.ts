/** The table of docs/where-to-change.md names files and symbols that exist. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Place {
  readonly path: string;
  readonly symbol: string;
}

/** The places that a cell names as `path` (`symbol`). */
function placesIn(cell = ''): readonly Place[] {
  return [...cell.matchAll(/`([^`]+)` \(`([^`]+)`\)/g)].map(([, path = '', symbol = '']) => ({
    path,
    symbol,
  }));
}

const rows = read('docs/where-to-change.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (Change|---) \|/.test(line))
  .map((line) => {
    const [change = '', edited, edits, created] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { change, edited: placesIn(edited), edits: Number(edits), created: placesIn(created) };
  });

describe('the table of common changes', () => {
  it('has ten rows, and the README links to it', () => {
    expect(rows).toHaveLength(10);
    expect(read('README.md')).toContain('(docs/where-to-change.md)');
  });

  it.each(rows)('$change: names files that contain the symbol', ({ edited, created }) => {
    expect(edited.length).toBeGreaterThan(0);
    for (const { path, symbol } of [...edited, ...created]) {
      expect([path, existsSync(join(root, path))]).toEqual([path, true]);
      expect([path, symbol, read(path).includes(symbol)]).toEqual([path, symbol, true]);
    }
  });

  it.each(rows)('$change: takes as many edits as it names files, at most three', ({ edited, edits }) => {
    expect(edits).toBe(new Set(edited.map(({ path }) => path)).size);
    expect(edits).toBeLessThanOrEqual(3);
  });
});
