/** The project's TypeScript as a script requires it: never older than its source, and without a folder to keep it in as well. */

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const project = join(__dirname, '..', '..');
const loader = readFileSync(join(project, 'bin', 'typescript.cjs'), 'utf8');
const folders = JSON.parse(
  /const folders = (\[.*\]);/.exec(loader)?.[1]?.replaceAll("'", '"') ?? '',
) as string[];

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'typescript-'));
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'), 'junction');
  cpSync(join(project, 'bin', 'typescript.cjs'), join(root, 'bin', 'typescript.cjs'));
});
afterEach(() => rmSync(root, { recursive: true }));

const file = () => join(root, 'bin', 'said.ts');
const say = (text: string, atS: number) => {
  writeFileSync(file(), `const said: string = '${text}'; console.log(said);`);
  utimesSync(file(), atS, atS);
};
/** What the file writes, required by a process of its own. */
const said = () => {
  const script = `require('./bin/typescript.cjs'); require('./bin/said.ts');`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' });
  return stdout.trim() || stderr;
};

it('is compiled again when the file has changed, by its time or its size', () => {
  say('one', 1_000);
  expect(said()).toBe('one');
  say('two', 2_000);
  expect(said()).toBe('two');
  say('three', 2_000);
  expect(said()).toBe('three');
});

it('is kept for the next process', () => {
  say('one', 1_000);
  said();
  const kept = join(root, '.build', 'typescript.json');
  writeFileSync(kept, readFileSync(kept, 'utf8').replace(/\bone\b/, 'kept'));
  expect(said()).toBe('kept');
});

it('runs where nothing can be kept', () => {
  writeFileSync(join(root, '.build'), '');
  say('one', 1_000);
  expect(said()).toBe('one');
});
