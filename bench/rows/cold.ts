/** Cold starts: a new process that loads a function and answers its first event over TLS. */

import { isDeepStrictEqual } from 'node:util';
import { functionEnvironment } from '../loopback/function-environment';
import { messageOf, startProcess } from '../processes/run-process';
import { type Row, rowOf } from '../row';
import type { Bench } from './bench';
import { buildOf, eventOf, functionEntry, mainOf } from './built';
import { comparable } from './comparable';

const pairs = 15;
const budgetMs = 20_000;
/** Targets, as ratios to the hand-written program, that Node.js and the SDK allow. */
const ratioMax = 2.4;

interface ColdRun {
  readonly result: unknown;
  readonly loadMs: number;
  readonly totalMs: number;
}

export async function measureCold(bench: Bench): Promise<readonly Row[]> {
  const redirect = await coldPairs(bench, 'redirect', 'redirect-live');
  const authorizer = await coldPairs(bench, 'authorizer', 'authorizer-live');
  const row = (name: string, runs: readonly Pair[], of: (run: ColdRun) => number, max?: number): Row =>
    rowOf({
      group: 'cold',
      name,
      baseline: 'hand-written',
      unit: 'CPU ms',
      measured: runs.map(({ measured }) => of(measured)),
      least: runs.map(({ least }) => of(least)),
      ...(max === undefined ? {} : { ratioMax: max }),
    });
  return [
    row('Redirect, cold start and first response', redirect, ({ totalMs }) => totalMs, ratioMax),
    row('Redirect, first response after its start', redirect, ({ totalMs, loadMs }) => totalMs - loadMs),
    row('Authorizer, cold start and first response', authorizer, ({ totalMs }) => totalMs, ratioMax),
    row('Authorizer, first response after its start', authorizer, ({ totalMs, loadMs }) => totalMs - loadMs),
  ];
}

interface Pair {
  readonly measured: ColdRun;
  readonly least: ColdRun;
}

async function coldPairs(
  { standIn }: Bench,
  name: 'redirect' | 'authorizer',
  event: 'redirect-live' | 'authorizer-live',
): Promise<readonly Pair[]> {
  const environment = functionEnvironment(standIn);
  const run = (entry: string): Promise<ColdRun> =>
    messageOf(
      startProcess({
        file: 'cold.mjs',
        args: [mainOf(buildOf(entry)), JSON.stringify(eventOf(event))],
        environment,
      }),
    );
  const endsMs = performance.now() + budgetMs;
  const found: Pair[] = [];
  while (found.length === 0 || (found.length <= pairs && performance.now() < endsMs)) {
    const measured = await run(functionEntry(name));
    const least = await run(`bench/programs/lean-${name}-main.ts`);
    if (!isDeepStrictEqual(comparable(measured.result), comparable(least.result)))
      throw new Error(`${name} and its comparison give different answers`);
    found.push({ measured, least });
  }
  // The first pair finds no file in the machine's memory.
  return found.length > 1 ? found.slice(1) : found;
}
