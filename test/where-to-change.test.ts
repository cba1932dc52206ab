/** docs/where-to-change.md names files and symbols that exist, and no list elsewhere has to change too. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatorKinds } from '../lambda/contract/generators';
import { pathFormParameters } from '../lambda/contract/parameter-groups';
import { parameterNames } from '../lambda/contract/parameters';
import { planNames } from '../lambda/contract/plans';
import { stockProviders } from '../lambda/contract/providers';
import { problems } from '../lambda/domain/problem/problem';

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

describe('a parameter that decides the image', () => {
  const note =
    read('docs/where-to-change.md')
      .split('\n')
      .find((line) => line.includes('more edits')) ?? '';

  it('is also added to the files of the client package, of which each is named', () => {
    const places = placesIn(note);
    for (const { path, symbol } of places)
      expect([path, symbol, read(path).includes(symbol)]).toEqual([path, symbol, true]);
    expect(note).toContain(` ${places.length} more edits`);
    const listing = sourcesIn('packages/client')
      .filter((path) => !/^packages\/client\/(test|vectors|fixtures|README)/.test(path))
      .filter((path) =>
        ['avoid', 'license', 'onmiss', 'visibility'].every((name) => read(path).includes(name)),
      );
    expect(places.map(({ path }) => path).sort()).toEqual(listing.sort());
  });
});

/** Names that a change of a row adds to, and the files outside the row that list some of them for a reason. */
const listed: readonly {
  readonly change: string;
  readonly names: readonly string[];
  readonly allowed: Readonly<Record<string, string>>;
}[] = [
  {
    change: 'Add a stock provider',
    names: stockProviders,
    allowed: {
      'bin/deploy-test/stage-settings.ts': 'the bindings of one stage: a slot each',
      'bin/local/fake-providers/start.ts': 'the fake providers themselves, of which a provider needs none',
    },
  },
  { change: 'Add an AI generator', names: generatorKinds, allowed: {} },
  {
    change: 'Change the limits, price or features of a plan',
    names: planNames,
    allowed: { 'bin/deploy-test/operator.ts': 'the accounts of the deployment test' },
  },
  {
    change: 'Add a query parameter',
    names: parameterNames,
    allowed: {
      'lambda/contract/parameter-groups.ts': 'credentials, and what the path form and permalinks take',
      'lambda/contract/messages/renderer-job.ts': 'what the sandbox draws from',
      'lambda/ports/draw-scene.ts': 'what the sandbox draws from',
      'lambda/http/http-request.ts': 'the credentials that contradict each other',
      'lambda/functions/docs/llms.ts': 'the fields of a record, which share names with parameters',
      'lambda/functions/docs/page/browser/request-url.ts': 'those that the page reads by name; others pass',
      'lambda/functions/docs/page/sections/parameter-fields.ts':
        'wording of fields, which a parameter can do without',
    },
  },
  {
    change: "Change an error's text or status, or add an error code",
    names: Object.keys(problems),
    allowed: {
      'lambda/domain/caller/caller.ts': 'those that the authorizer hands on',
      'lambda/usecases/metering/serve-once.ts': 'those that hold for every size of an image',
    },
  },
];

/** Shortest list that counts: fewer names stand together for other reasons. */
const listedMin = 3;

/** Whether a source lists names: in an array or a union, or as the keys of a table or fields of a type. */
function listsSome(source: string, names: readonly string[]): boolean {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const name = `(?:${names.join('|')})`;
  const list = new RegExp(`(?:['"]${name}['"][\\s,|]*){${listedMin},}`, 'g');
  const table = new RegExp(`(?:^[ \\t]*(?:readonly )?${name}\\??:[^\\n]*\\n){${listedMin},}`, 'gm');
  const found = [...code.matchAll(list), ...code.matchAll(table)].map(
    ([text]) => new Set(text.match(new RegExp(`\\b${name}\\b`, 'g'))),
  );
  // Query, width and height are what every form of a request has.
  const inPath: ReadonlySet<string> = new Set(pathFormParameters);
  return found.some((each) => [...each].some((word) => !inPath.has(word)));
}

/** Paths of the sources below a folder. */
function sourcesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (path) => /\.(ts|mts|mjs|cjs|php|py|rb|go)$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path),
    )
    .map((path) => `${folder}/${path}`);
}

describe.each(listed)('$change', ({ change, names, allowed }) => {
  const inRow = rows.find((row) => row.change === change)?.edited.map(({ path }) => path) ?? [];
  const listing = ['lambda', 'lib', 'bin'].flatMap(sourcesIn).filter((path) => listsSome(read(path), names));

  it('changes no list of their names in another file', () => {
    expect(inRow.length).toBeGreaterThan(0);
    expect(listing.filter((path) => !inRow.includes(path) && !(path in allowed))).toEqual([]);
  });

  it('has exceptions that are used', () => {
    expect(Object.keys(allowed).filter((path) => !listing.includes(path))).toEqual([]);
  });
});

test('lists of names are found in arrays, unions, tables and types, and not in prose or single uses', () => {
  const names = ['openverse', 'pexels', 'pixabay'];
  for (const source of [
    "const all = ['openverse', 'pexels', 'pixabay'];",
    "type Name = 'openverse' | 'pixabay' | 'pexels';",
    'const table = {\n  openverse: a,\n  pexels: b,\n  pixabay: c,\n};',
    'interface All {\n  readonly openverse: A;\n  readonly pexels?: B;\n  readonly pixabay: C;\n}',
  ])
    expect([source, listsSome(source, names)]).toEqual([source, true]);
  for (const source of [
    "/** 'openverse', 'pexels', 'pixabay' */",
    "if (name === 'pexels') return 'pixabay';",
  ])
    expect([source, listsSome(source, names)]).toEqual([source, false]);
});
