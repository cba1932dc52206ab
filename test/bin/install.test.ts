/** Packages are installed by one process at a time, when what npm recorded of them differs from the lock file, and not otherwise. */

import { execFile, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const program = join(__dirname, '../../bin/install.cjs');
const { isInstalled } = require(program) as { isInstalled(folder: string): boolean };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'install-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const a = { version: '1.0.0', integrity: 'sha512-a' };
const b = { version: '2.0.0', integrity: 'sha512-b' };
const locked = {
  '': { name: 'project' },
  'packages/own': { version: '0.1.0' },
  'node_modules/own': { resolved: 'packages/own', link: true },
  'node_modules/a': a,
  'node_modules/a/node_modules/b': b,
  'node_modules/other-platform': { ...a, optional: true },
  'node_modules/other-tool': { ...a, devOptional: true },
};
const installed = {
  'node_modules/own': { resolved: 'packages/own', link: true },
  'node_modules/a': a,
  'node_modules/a/node_modules/b': b,
};

function given(recorded: string | undefined): void {
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: locked }));
  if (recorded === undefined) return;
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'node_modules', '.package-lock.json'), recorded);
}

const record = (packages: object) => JSON.stringify({ packages });

it.each([
  ['the same packages', record(installed), true],
  ['more packages', record({ ...installed, 'node_modules/c': b }), true],
  ['another version', record({ ...installed, 'node_modules/a': { ...a, version: '1.0.1' } }), false],
  ['another content', record({ ...installed, 'node_modules/a': { ...a, integrity: 'sha512-x' } }), false],
  ['another version of what is optional', record({ ...installed, 'node_modules/other-platform': b }), false],
  ['a package less', record({ ...installed, 'node_modules/a/node_modules/b': undefined }), false],
  ['an unreadable record', '{"packages":', false],
  ['nothing', undefined, false],
])('with %s, installed is %3$s', (_, recorded, expected) => {
  given(recorded);
  expect(isInstalled(folder)).toBe(expected);
});

/** Notes in a file when its work begins and when it ends, a moment later. */
const worker = (folder: string) => `
  const { appendFileSync } = require('node:fs');
  const note = (text) => appendFileSync(${JSON.stringify(join(folder, 'notes'))}, text);
  require(${JSON.stringify(program)}).withLock(${JSON.stringify(folder)}, () => {
    note('(');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    note(')');
  });`;
const run = (folder: string, before = '') =>
  promisify(execFile)(process.execPath, ['-e', before + worker(folder)]);

it('processes that start at once install one after the other', async () => {
  await Promise.all([run(folder), run(folder), run(folder)]);
  expect(readFileSync(join(folder, 'notes'), 'utf8')).toBe('()()()');
}, 30_000);

it.each([
  ['has ended', '2147483646', 0],
  ['is another one by now, after a day', String(process.pid), 24 * 3_600],
])(
  'a process that %s keeps no other waiting',
  async (_, holder, ageS) => {
    mkdirSync(join(folder, '.build'));
    const lock = join(folder, '.build', 'installing');
    writeFileSync(lock, holder);
    const madeS = Date.now() / 1_000 - ageS;
    utimesSync(lock, madeS, madeS);
    await run(folder);
    expect(readFileSync(join(folder, 'notes'), 'utf8')).toBe('()');
  },
  30_000,
);

it('the process of another user is waited for, as one that may not be asked', async () => {
  mkdirSync(join(folder, '.build'));
  const lock = JSON.stringify(join(folder, '.build', 'installing'));
  writeFileSync(JSON.parse(lock), '1');
  const asked = JSON.stringify(join(folder, 'asked'));
  // It ends after it was asked for a second time.
  await run(
    folder,
    `const fs = require('node:fs');
    process.kill = () => {
      fs.appendFileSync(${asked}, fs.existsSync(${lock}) ? 'held ' : 'lost ');
      if (fs.readFileSync(${asked}, 'utf8') === 'held held ') fs.rmSync(${lock});
      throw Object.assign(new Error('Not permitted'), { code: 'EPERM' });
    };`,
  );
  expect(readFileSync(JSON.parse(asked), 'utf8')).toBe('held held ');
}, 30_000);

it.each([
  ['has succeeded', 'exit 0', 0],
  ['has failed', 'exit 7', 7],
  ['was ended by a signal', 'kill -KILL $$', 1],
])('where npm %s, a script ends with %3$d', (_, does, expected) => {
  given(undefined);
  mkdirSync(join(folder, 'bin'));
  copyFileSync(program, join(folder, 'bin', 'install.cjs'));
  writeFileSync(join(folder, 'bin', 'npm'), `#!/bin/sh\necho "npm $*"\n${does}\n`, { mode: 0o755 });
  const PATH = `${join(folder, 'bin')}:${process.env['PATH']}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/install.cjs'], {
    cwd: folder,
    env: { ...process.env, PATH },
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([expected, '']);
  expect(stderr).toMatch(/^Installing packages .*\nnpm ci --ignore-scripts /);
});
