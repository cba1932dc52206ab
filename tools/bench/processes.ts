/** Runs the benchmark's programs in child processes, which end with it. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Samples } from './row';

const running = new Set<ChildProcess>();

interface ProcessOptions {
  /** Name of a file in `processes`, or an absolute path. */
  readonly file: string;
  readonly args?: readonly string[];
  readonly execArgv?: readonly string[];
  /** The complete environment, in addition to `PATH`. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a program that reports by messages. */
export function startProcess({ file, args = [], execArgv = [], environment }: ProcessOptions): ChildProcess {
  const child = fork(resolve(__dirname, 'processes', file), [...args], {
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
    throw new Error(`${child.spawnargs.at(-1)} ended with ${code} and without a message`);
  });
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [T];
  ended.catch(() => {});
  return message;
}

/** Ends whatever still runs, at once. */
export function endAllProcesses(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** One side of a comparison in one process. */
interface Side {
  /** Absolute path of a built program. */
  readonly file: string;
  /** Its export: a function of an event that returns a promise. */
  readonly name: string;
  /** What it is called with. */
  readonly event?: unknown;
}

interface Turns {
  readonly measured: Side;
  readonly least: Side;
  readonly environment?: Readonly<Record<string, string>>;
  /** Operations of each side before the first round. */
  readonly warmUp: number;
  readonly rounds: number;
  /** Operations in a round. */
  readonly perRound: number;
  /** No round begins later, in milliseconds; there is always one. */
  readonly budgetMs: number;
}

/** Runs both sides in turns: what each returned first, and CPU in microseconds per operation, round by round. */
export async function alternate({ measured, least, environment = {}, ...plan }: Turns) {
  const child = startProcess({ file: 'alternate.mjs', environment });
  child.send({ sides: [measured, least], ...plan });
  return messageOf<{ readonly results: readonly [unknown, unknown]; readonly samples: Samples }>(child);
}
