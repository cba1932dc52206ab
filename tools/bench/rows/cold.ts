/** Cold starts: a new process that loads a function and answers its first event over TLS. */

import { entryOf } from '../../../lib/functions/bundle';
import { assertEqual, eventOf, mainOf } from '../builds';
import type { Loopback } from '../loopback';
import { messageOf, startProcess } from '../processes';
import { type Row, rowOf } from '../row';

const pairs = 15;
/** For each of the four comparisons. */
const budgetMs = 10_000;

/** Function, its title, and the highest ratio to the hand-written program for a start with its first response. */
const functions = [
  ['redirect', 'Redirect', 1.75],
  ['authorizer', 'Authorizer', 1.5],
] as const;

interface ColdRun {
  readonly result: unknown;
  readonly loadMs: number;
  readonly totalMs: number;
}
type Pairs = readonly { readonly measured: ColdRun; readonly least: ColdRun }[];

/**
 * A start with its first response, for which both sides have to connect, and a first response for which both have
 * connected at their start.
 */
export async function measureCold(loopback: Loopback): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [name, title, ratioMax] of functions) {
    const row = (what: string, runs: Pairs, of: (run: ColdRun) => number, target?: number) =>
      rowOf({
        group: 'cold',
        name: `${title}, ${what}`,
        baseline: 'hand-written',
        unit: 'CPU ms',
        measured: runs.map(({ measured }) => of(measured)),
        least: runs.map(({ least }) => of(least)),
        ratioMax: target,
      });
    const whole = await coldPairs(loopback, name, {});
    const connected = await coldPairs(loopback, name, { CONNECTS: 'at its start' });
    rows.push(
      row('cold start and first response', whole, ({ totalMs }) => totalMs, ratioMax),
      row('first response, both connected', connected, ({ totalMs, loadMs }) => totalMs - loadMs),
    );
  }
  return rows;
}

async function coldPairs(
  { environment }: Loopback,
  name: 'redirect' | 'authorizer',
  more: Readonly<Record<string, string>>,
): Promise<Pairs> {
  const event = JSON.stringify(eventOf(`${name}-live`));
  const run = (entry: string) =>
    messageOf<ColdRun>(
      startProcess({
        file: 'cold.mjs',
        args: [mainOf(entry), event],
        environment: { ...environment, ...more },
      }),
    );
  const endsMs = performance.now() + budgetMs;
  const runs: { measured: ColdRun; least: ColdRun }[] = [];
  while (runs.length === 0 || (runs.length <= pairs && performance.now() < endsMs)) {
    const measured = await run(entryOf(name));
    const least = await run(`tools/bench/programs/lean-${name}-main.ts`);
    assertEqual(name, measured.result, least.result);
    runs.push({ measured, least });
  }
  // The first pair finds no file in the machine's memory.
  return runs.length > 1 ? runs.slice(1) : runs;
}
