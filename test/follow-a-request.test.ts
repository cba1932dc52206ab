/** The tables of docs/follow-a-request.md name files that exist, that are connected, and that are as few as the design asks for. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Step {
  readonly number: number;
  readonly path: string;
  readonly symbol: string;
}

/** The steps of each section, by its heading. */
const sections = new Map(
  read('docs/follow-a-request.md')
    .split('\n## ')
    .slice(1)
    .map((section) => {
      const steps = [...section.matchAll(/^\| (\d+) \| `([^`]+)` \(`([^`]+)`\) \|/gm)];
      const heading = section.slice(0, section.indexOf('\n'));
      return [
        heading,
        steps.map(([, number, path = '', symbol = '']): Step => ({ number: Number(number), path, symbol })),
      ];
    }),
);
const stepsOf = (heading: string) => sections.get(heading) ?? [];
const known = stepsOf('A known stock image');
const missed = stepsOf('A stock image that is not known yet');
const generated = stepsOf('A new AI image');

/** All that a request of each kind crosses. */
const ways = [
  { name: 'a known stock image', way: known, filesMax: 15 },
  { name: 'a stock image that is not known yet', way: [...known, ...missed], filesMax: 30 },
  { name: 'a new AI image', way: [...known.slice(0, 9), ...generated, ...known.slice(13)], filesMax: 40 },
];

/** The project's files that a file imports, as values or as types. */
function importsOf(path: string): readonly string[] {
  return [...read(path).matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(
    ([, specifier = '']) =>
      `${relative(root, join(root, dirname(path), specifier)).replaceAll('\\', '/')}.ts`,
  );
}

/** What is wired: all that the entry points of the functions and the lists of adapters import. */
const wired = new Set(
  readdirSync(join(root, 'lambda/functions'), { recursive: true, encoding: 'utf8' })
    .map((path) => `lambda/functions/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\/([a-z]+-)?main\.ts$/.test(path))
    .concat('lambda/adapters/stock/providers.ts')
    .flatMap(importsOf),
);

test('the README links to it', () => {
  expect(read('README.md')).toContain('(docs/follow-a-request.md)');
});

describe.each(ways)('the way of $name', ({ way, filesMax }) => {
  it(`crosses at most ${filesMax} files, which export what is named`, () => {
    expect(way.length).toBeGreaterThan(filesMax / 2);
    expect(new Set(way.map(({ path }) => path)).size).toBeLessThanOrEqual(filesMax);
    for (const { path, symbol } of way) {
      expect([path, existsSync(join(root, path))]).toEqual([path, true]);
      expect(read(path)).toMatch(new RegExp(`^export (async )?(function|const) ${symbol}\\b`, 'm'));
    }
  });

  it('holds together: each file is wired, or imported by another one', () => {
    const imported = new Set(way.flatMap(({ path }) => importsOf(path)));
    const loose = way.filter(({ path }) => !wired.has(path) && !imported.has(path));
    expect(loose).toEqual([]);
  });
});

it('is numbered without gaps', () => {
  expect(known.map(({ number }) => number)).toEqual(known.map((_, i) => i + 1));
  expect(missed.map(({ number }) => number)).toEqual(missed.map((_, i) => known.length + 1 + i));
  expect(generated.map(({ number }) => number)).toEqual(generated.map((_, i) => 10 + i));
});
