/** The launchers pass on arguments, exit codes and signals: a signal to npm or to the launcher ends the service. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ask, header } from '../../e2e/ask';
import { localAccounts } from '../../e2e/local-account';

const root = join(__dirname, '../../..');

const launch = (...args: readonly string[]) => launchWith({}, ...args);

const launchWith = (env: NodeJS.ProcessEnv, ...args: readonly string[]) =>
  spawnSync(process.execPath, ['bin/run.mjs', ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });

/** Resolves when no process of a group is left; what has been killed takes a moment to be gone. */
async function nothingLeftOf(group: number): Promise<void> {
  for (;;) {
    try {
      process.kill(-group, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('the launcher of the scripts', () => {
  it('passes on arguments and the exit code of a program', () => {
    expect(launch('tools/test-e2e.mjs', '--help')).toMatchObject({ status: 0, stderr: '' });
    expect(launch('bin/image-redirect.ts', '--version')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d/),
    });
    expect(launch('bin/image-redirect.ts', 'keys', 'list', '--everything').status).toBe(2);
  });

  it('runs a tool that a package brings', () => {
    expect(launch('biome', '--version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/\d/) });
    expect(launch('no-such-tool')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no-such-tool'),
    });
  });

  it.each([[[]], [['--node', 'latest', 'jest']], [['--prefer-node', '24']]])(
    'explains its use for %j',
    (args) => {
      expect(launch(...args)).toMatchObject({ status: 1, stderr: expect.stringContaining('Usage') });
    },
  );
});

describe('a version of Node.js that is asked for', () => {
  const [major = ''] = process.versions.node.split('.');
  const version = ['bin/image-redirect.ts', '--version'];
  /** Where npm is not found, no version can be fetched. */
  const noNpm = { PATH: '' };

  it.each(['--node', '--prefer-node'])('%s of the installed version fetches nothing', (option) => {
    expect(launchWith(noNpm, option, major, ...version)).toMatchObject({ status: 0, stderr: '' });
  });

  it('runs the program and what it starts', () => {
    const other = `9${process.pid}`;
    const packages = ['node', 'node-bin'].map((prefix) => `${prefix}-${process.platform}-${process.arch}`);
    const folders = packages.map((name) => join(root, '.cache', `${name}@${other}`));
    for (const [i, folder] of folders.entries()) {
      const bin = join(folder, 'node_modules', packages[i] ?? '', 'bin');
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, 'node'), '#!/bin/sh\necho "other $*"\n', { mode: 0o755 });
    }
    try {
      const program = launch('--node', other, 'tools/test-e2e.mjs', '--help');
      expect(program).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^other .*test-e2e.mjs --help\n$/),
      });
      const tool = launch('--node', other, 'biome', '--version');
      expect(tool).toMatchObject({ status: 0, stdout: expect.stringMatching(/^other .*biome --version\n$/) });
    } finally {
      for (const folder of folders) rmSync(folder, { recursive: true });
    }
  });

  it('that cannot be had is an error when it is required, and a note when it is preferred', () => {
    const none = expect.stringContaining('Node.js 1 is not available here.');
    expect(launchWith(noNpm, '--node', '1', ...version)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: none,
    });
    expect(launchWith(noNpm, '--prefer-node', '1', ...version)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d/),
      stderr: expect.stringContaining(`Node.js ${process.versions.node} runs this instead.`),
    });
  });
});

it('npx finds the tool in a clone', () => {
  const { status, stdout } = spawnSync('npx', ['--no', 'image-redirect', '--version'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
});

describe.each([
  ['npm start', ['npm', 'start', '--silent', '--']],
  ['the launcher', [process.execPath, 'bin/image-redirect.mjs', 'start']],
])('a signal to %s', (_, command) => {
  let launcher: ChildProcess;
  let ready: { readonly url: string; readonly keys: { readonly pro: { readonly live: string } } };

  beforeEach(async () => {
    const [program = '', ...args] = [...command, '--port', '0', '--memory', '--json'];
    // A group of its own, in which any process that is left can be found.
    launcher = spawn(program, args, {
      cwd: root,
      detached: true,
      env: { ...process.env, GENERATOR: '{"kind":"sandbox","delayMs":1000,"longSidePx":320}' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    launcher.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    const lines = createInterface({ input: launcher.stdout as NodeJS.ReadableStream });
    const ended = once(launcher, 'exit').then(() => {
      throw new Error(`It has ended: ${stderr}`);
    });
    ended.catch(() => undefined);
    const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
    ready = JSON.parse(line);
  });
  afterEach(() => {
    try {
      process.kill(-(launcher.pid as number), 'SIGKILL');
    } catch {
      // No process is left.
    }
  });

  /** Ends npm or the launcher alone, as a process manager does. */
  const terminate = async (signal: NodeJS.Signals = 'SIGTERM') => {
    const ended = once(launcher, 'exit');
    launcher.kill(signal);
    const [code] = await ended;
    return code;
  };

  it('SIGKILL stops the server, too, although it is not passed on', async () => {
    expect(await terminate('SIGKILL')).toBeNull();
    await nothingLeftOf(launcher.pid as number);
    await expect(fetch(ready.url)).rejects.toThrow();
  }, 60_000);

  it('SIGTERM lets a request in flight end, then stops the server: exit code 0, a closed port and no process left', async () => {
    const headers = { 'X-API-Key': ready.keys.pro.live };
    const draw = (words: string) =>
      ask(ready.url, { path: `/api/image/320x240-${words}?provider=ai`, headers });
    // The first image waits until what draws it is loaded, which on a busy machine takes longer than the end may.
    expect((await draw('mountain-lake')).status).toBe(302);
    const asked = draw('old-harbour');
    const accounts = await localAccounts(ready.url);
    await accounts.untilHeld();
    accounts.close();
    const ended = terminate();
    const answer = await asked;
    expect([answer.status, header(answer, 'x-ratelimit-remaining')]).toEqual([302, '49998']);
    expect(await ended).toBe(0);
    await expect(fetch(ready.url)).rejects.toThrow();
    await nothingLeftOf(launcher.pid as number);
  }, 60_000);
});
