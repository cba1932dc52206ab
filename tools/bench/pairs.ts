/** The measuring core: two sides in turns, the ratio of each pair, and child processes that say what CPU they took. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** One row: what was measured, what it is compared with, and the verdict. */
export interface Row {
  readonly name: string;
  readonly measured: number;
  /** The same of what it is compared with, in the same unit. */
  readonly least: number;
  readonly unit: 'CPU ms' | 'ms';
  /** The median of the pairs' ratios, so that what slows the machine for a moment slows both sides of a pair. */
  readonly ratio: number;
  /** Highest ratio that is meant to be. */
  readonly bound: number;
  readonly ok: boolean;
}

interface Pairs extends Pick<Row, 'name' | 'bound'> {
  readonly unit?: Row['unit'];
  /** Pairs that count; the first one warms both sides and does not. */
  readonly count: number;
  readonly measured: () => Promise<number>;
  readonly least: () => Promise<number>;
}

/** No pair begins later after the first one of a row, in milliseconds. */
const rowMs = 50_000;

/** Measures both sides one after the other, pair by pair. */
export async function comparePairs({ name, bound, unit = 'CPU ms', count, ...sides }: Pairs): Promise<Row> {
  const endsMs = performance.now() + rowMs;
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0; i <= count && (i < 2 || performance.now() < endsMs); i++) {
    const pair = [await sides.measured(), await sides.least()] as const;
    if (i > 0) pairs.push(pair);
  }
  const ratio = quantile(
    pairs.map(([measured, least]) => measured / least),
    0.5,
  );
  const [measured, least] = ([0, 1] as const).map((side) =>
    quantile(
      pairs.map((pair) => pair[side]),
      0.5,
    ),
  ) as [number, number];
  return { name, measured, least, unit, ratio, bound, ok: ratio <= bound };
}

/** The smallest value that a share of the values (0.5, 0.99) does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

const running = new Set<ChildProcess>();

/** Starts a program that speaks by messages and ends with the benchmark. @param environment complete, beside `PATH` */
export function startChild(
  file: string,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
  execArgv: readonly string[] = [],
): ChildProcess {
  const child = fork(file, [...args], {
    execArgv: ['--no-warnings', ...execArgv],
    // What functions write to their log is formatted and written, to nowhere.
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    env: { PATH: process.env['PATH'], ...environment },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Ends whatever still runs, at once. */
export function endChildren(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Asks a child and waits for its answer. @throws `Error` when it ends instead */
export async function ask<T>(child: ChildProcess, question?: number): Promise<T> {
  const ended = new AbortController();
  child.once('exit', (code) => ended.abort(new Error(`${child.spawnargs.join(' ')} ended with ${code}`)));
  const answer = once(child, 'message', { signal: ended.signal });
  if (question !== undefined) child.send(question);
  try {
    return (await answer)[0] as T;
  } catch {
    throw ended.signal.reason;
  }
}
