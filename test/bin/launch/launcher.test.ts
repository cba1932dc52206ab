/** The launchers pass on arguments, exit codes and signals: a signal to npm or to the launcher ends the service. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ask, header } from '../../e2e/ask';
import { localAccounts } from '../../e2e/local-account';

const root = join(__dirname, '../../..');

const launch = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['bin/run.mjs', ...args], { cwd: root, encoding: 'utf8' });

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
    const { status, stdout } = launch('bin/with-node.mjs', 'no', 'version');
    expect([status, stdout]).toEqual([1, '']);
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

  it('says how it is called', () => {
    expect(launch()).toMatchObject({ status: 1, stderr: expect.stringContaining('Usage') });
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
      env: { ...process.env, GENERATOR: '{"kind":"sandbox","delayMs":1000}' },
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
