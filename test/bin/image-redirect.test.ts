/** Tests that a signal to npm or to the tool ends the service, as does the end of npm. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { program } from '../cli/run-tool';
import { ask, getHeader } from '../e2e/ask';
import { connectLocalAccounts } from '../e2e/local-account';

const root = join(__dirname, '../..');

describe.each([
  ['npm start', ['npm', 'start', '--silent', '--']],
  ['the tool', [process.execPath, ...program, 'start']],
])('a signal to %s', (_, command) => {
  let child: ChildProcess;
  /** Resolves when npm, its shell and the service have ended, each of which holds the pipes of its output. */
  let allEnded: Promise<unknown>;
  let ready: { readonly url: string; readonly keys: { readonly pro: { readonly live: string } } };

  beforeEach(async () => {
    const [file = '', ...args] = [...command, '--port', '0', '--memory', '--json'];
    // A group of its own, in which any process that is left can be found.
    child = spawn(file, args, {
      cwd: root,
      detached: true,
      env: { ...process.env, GENERATOR: '{"kind":"sandbox","delayMs":1000,"longSidePx":320}' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    allEnded = once(child, 'close');
    let stderr = '';
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`It has ended: ${stderr}`);
    });
    ended.catch(() => undefined);
    const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
    ready = JSON.parse(line);
  });
  afterEach(() => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // No process is left.
    }
  });

  /** Ends npm or the tool alone, as a process manager does. */
  const terminate = async (signal: NodeJS.Signals = 'SIGTERM') => {
    const ended = once(child, 'exit');
    child.kill(signal);
    const [code] = await ended;
    return code;
  };

  test('SIGKILL ends the server too', async () => {
    expect(await terminate('SIGKILL')).toBeNull();
    await allEnded;
    await expect(fetch(ready.url)).rejects.toThrow();
  });

  test('SIGTERM ends all processes after a request in flight', async () => {
    const headers = { 'X-API-Key': ready.keys.pro.live };
    const draw = (words: string) =>
      ask(ready.url, { path: `/api/image/320x240-${words}?provider=ai`, headers });
    // The first image loads what draws it, which on a busy machine takes longer than the service has to end.
    expect((await draw('mountain-lake')).status).toBe(302);
    const imageRequest = draw('old-harbour');
    const accounts = await connectLocalAccounts(ready.url);
    await accounts.awaitMaking();
    accounts.close();
    const ended = terminate();
    const answer = await imageRequest;
    expect([answer.status, getHeader(answer, 'x-ratelimit-remaining')]).toEqual([302, '49998']);
    expect(await ended).toBe(0);
    await expect(fetch(ready.url)).rejects.toThrow();
    await allEnded;
  });
});
