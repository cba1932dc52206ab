/** The launcher bundles the tool once, and again when a source or a package has changed; it never runs an old bundle. */

import { execFile, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const builder = join(__dirname, '../../../bin/launch/build-program.mjs');
const launcher = pathToFileURL(join(__dirname, '../../../bin/launch/built-program.mjs')).href;

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'built-program-'));
  write(
    'bin/image-redirect.ts',
    "import { word } from '../lambda/word';\nimport { mark } from 'mark';\nconsole.log(word + mark);\n",
  );
  write('local/workers/run-invocation.ts', 'export const runInvocation = () => undefined;\n');
  write('lambda/word.ts', "export const word: string = 'lake';\n");
  write('node_modules/mark/package.json', '{"name":"mark","main":"mark.js"}');
  write('node_modules/mark/mark.js', "exports.mark = '!';\n");
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
}

/** What the launcher would run; an empty text when it would run the sources. */
function built(): string {
  const code = `import { builtProgram } from ${JSON.stringify(launcher)}; console.log(builtProgram(process.argv[1]) ?? '');`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code, project], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.trimEnd();
}

/** Like `built`, while others do the same. */
const buildApart = async () =>
  (await promisify(execFile)(process.execPath, [builder, project])).stdout.trimEnd();

const said = (program: string) => spawnSync(process.execPath, [program], { encoding: 'utf8' }).stdout;

it('runs the same bundle while nothing has changed', () => {
  const program = built();
  expect(said(program)).toBe('lake!\n');
  const { mtimeMs } = statSync(program);
  expect([built(), statSync(program).mtimeMs]).toEqual([program, mtimeMs]);
});

it('sees a source of the same size and time, and returns to the bundle of the sources before', () => {
  const program = built();
  const { atime, mtime } = statSync(join(project, 'lambda/word.ts'));
  write('lambda/word.ts', "export const word: string = 'wood';\n");
  utimesSync(join(project, 'lambda/word.ts'), atime, mtime);
  expect(said(built())).toBe('wood!\n');
  write('lambda/word.ts', "export const word: string = 'lake';\n");
  expect(built()).toBe(program);
});

it('sees a package that has been changed where it is installed', () => {
  built();
  write('node_modules/mark/mark.js', "exports.mark = ' and more';\n");
  expect(said(built())).toBe('lake and more\n');
});

it('leaves a bundle of other packages to the processes that run it', () => {
  const program = built();
  write('node_modules/mark/mark.js', "exports.mark = ' and more';\n");
  expect(built()).not.toBe(program);
  expect(said(program)).toBe('lake!\n');
});

it('bundles the same sources in several processes at once, each of which gets one that runs', async () => {
  const programs = await Promise.all(Array.from({ length: 3 }, () => buildApart()));
  expect(programs.map(said)).toEqual(['lake!\n', 'lake!\n', 'lake!\n']);
  expect(programs).toContain(built());
});

it('sees that the project has been moved, whose files the bundle names', () => {
  write('lambda/word.ts', 'export const word: string = __filename;\n');
  built();
  const before = project;
  project = `${before}-moved`;
  renameSync(before, project);
  expect(said(built())).toBe(`${join(project, 'lambda/word.ts')}!\n`);
});

it('does not take an unfinished bundle for one', () => {
  const program = built();
  rmSync(join(dirname(program), 'packages.json'));
  writeFileSync(program, 'console.log("half");\n');
  expect(said(built())).toBe('lake!\n');
});

it('leaves sources that cannot be bundled to those who can say where the error is', () => {
  write('lambda/word.ts', 'export const word: string = ;\n');
  expect(built()).toBe('');
  expect(readdirSync(join(project, '.cache/built-program'))).toEqual([]);
});

it('removes bundles that nothing has used for a day', () => {
  const [old, young] = ['old', 'young'].map((name) => join(project, '.cache/built-program', name)) as [
    string,
    string,
  ];
  for (const folder of [old, young]) mkdirSync(folder, { recursive: true });
  const before = new Date(statSync(old).mtimeMs - 25 * 3_600_000);
  utimesSync(old, before, before);
  built();
  expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
});
