/** Sources and documentation use the field's words: words with a better-known equivalent are refused. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(__dirname, '..');

/** Checked files and folders. */
const covered = ['README.md', 'bin', 'lib', 'lambda', 'packages', 'bench', 'docs', 'test'];

/** Refused word → the word to use. */
const replacements: readonly (readonly [refused: RegExp, instead: string])[] = [
  [/\btwins?\b/i, 'fake provider'],
  [/\bhouse\b/i, 'codebase, module'],
  [/\b(whoever|somebody|anybody|nobody)\b/i, 'caller, account, operator'],
  [/\bstrangers?\b/i, 'another account, a new contributor'],
  [/\btold\b/i, 'configured'],
  [/\brehears(al|als|e|ed|es)\b/i, 'deployment test'],
  [/\bpictures?\b/i, 'image'],
  [/\bgallery\b/i, 'rendition service'],
  [/\bcircumstances\b/i, 'request context'],
  [/\bin the making\b/i, 'concurrent or pending generation'],
  [
    /\b(in the same breath|as it should be|for whoever may|made on the spot|in vain|for want of|hears? of)\b/i,
    'plain English',
  ],
];

/** Where a refused word is ordinary English. */
const allowed: readonly (readonly [path: RegExp, word: string, why: string])[] = [
  [/^test\/words\.test\.ts$/, '', 'this file lists them'],
  [/^packages\/scene\//, 'house', 'a building in a scene'],
];

interface Finding {
  readonly place: string;
  readonly word: string;
  readonly instead: string;
}

function findingsIn(path: string, text: string): readonly Finding[] {
  return text.split('\n').flatMap((line, i) =>
    replacements.flatMap(([refused, instead]) => {
      const word = refused.exec(line)?.[0];
      if (word === undefined) return [];
      const isAllowed = allowed.some(
        ([where, each]) => where.test(path) && word.toLowerCase().startsWith(each),
      );
      return isAllowed ? [] : [{ place: `${path}:${i + 1}`, word, instead }];
    }),
  );
}

function filesIn(path: string): readonly string[] {
  if (statSync(path).isFile()) return /\.(ts|mts|mjs|cjs|css|md|py)$/.test(path) ? [path] : [];
  return readdirSync(path)
    .filter((name) => !['node_modules', 'dist', 'fixtures'].includes(name))
    .flatMap((name) => filesIn(join(path, name)));
}

describe('the words of the project', () => {
  const files = covered.flatMap((path) => filesIn(join(root, path))).map((path) => relative(root, path));

  it('are those of the field, in every covered file', () => {
    expect(files.length).toBeGreaterThan(300);
    expect(files.flatMap((path) => findingsIn(path, readFileSync(join(root, path), 'utf8')))).toEqual([]);
  });

  it('are reported with their place and the word to use', () => {
    expect(findingsIn('lib/a.ts', 'fine\n// The twin is told of it.')).toEqual([
      { place: 'lib/a.ts:2', word: 'twin', instead: 'fake provider' },
      { place: 'lib/a.ts:2', word: 'told', instead: 'configured' },
    ]);
    expect(findingsIn('packages/scene/built.ts', 'a house front')).toEqual([]);
    expect(findingsIn('lib/a.ts', 'a house rule')).toHaveLength(1);
  });

  it('have exceptions that are used', () => {
    const texts = files.map((path) => [path, readFileSync(join(root, path), 'utf8')] as const);
    const unused = allowed.filter(
      ([where, word]) => !texts.some(([path, text]) => where.test(path) && text.toLowerCase().includes(word)),
    );
    expect(unused.map(([where]) => String(where))).toEqual([]);
  });
});
