/** Runs the benchmark's programs in child processes, which end with it. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { isAbsolute, join } from 'node:path';

const running = new Set<ChildProcess>();

export interface ProcessOptions {
  /** Name of a file in this folder, or an absolute path. */
  readonly file: string;
  readonly args?: readonly string[];
  readonly execArgv?: readonly string[];
  /** The complete environment, in addition to `PATH`. */
  readonly environment?: Readonly<Record<string, string>>;
}

export function startProcess({
  file,
  args = [],
  execArgv = [],
  environment = {},
}: ProcessOptions): ChildProcess {
  const child = fork(isAbsolute(file) ? file : join(__dirname, file), [...args], {
    execArgv: ['--no-warnings', ...execArgv],
    // What functions write to their log is formatted and written, to nowhere.
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    env: { PATH: process.env['PATH'], ...environment },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Waits for the next message of a process. @throws `Error` when it ends before. */
export async function messageOf<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${child.spawnargs.at(-1)} ended with ${code} and without a word`);
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [T];
  ended.catch(() => {});
  return message;
}

/** Stops a process and waits for its end. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (!running.has(child)) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** Ends whatever still runs, at once. */
export function endAllProcesses(): void {
  for (const child of running) child.kill('SIGKILL');
}
