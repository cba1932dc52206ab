/** Cold starts: a new process that loads a function and answers its first event over TLS. */

import { isDeepStrictEqual } from 'node:util';
import { entryOf } from '../../../lib/functions/bundle';
import { functionEnvironment } from '../loopback/function-environment';
import { messageOf, startProcess } from '../processes/run-process';
import { type Row, rowOf } from '../row';
import type { Bench } from './bench';
import { buildOf, eventOf, mainOf } from './built';
import { comparable } from './comparable';

const pairs = 15;
/** For each of the four comparisons. */
const budgetMs = 10_000;

type FunctionName = 'redirect' | 'authorizer';

/** Highest ratios to the hand-written program for a start with its first response. */
const ratiosMax: Readonly<Record<FunctionName, number>> = { redirect: 1.75, authorizer: 1.5 };
const titles: Readonly<Record<FunctionName, string>> = { redirect: 'Redirect', authorizer: 'Authorizer' };

interface ColdRun {
  readonly result: unknown;
  readonly loadMs: number;
  readonly totalMs: number;
}

/**
 * A start with its first response, for which both sides have to connect, and a first response for which both have
 * connected at their start.
 */
export async function measureCold(bench: Bench): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const name of ['redirect', 'authorizer'] as const) {
    const common = { group: 'cold', baseline: 'hand-written', unit: 'CPU ms' } as const;
    const whole = await coldPairs(bench, name, `tools/bench/programs/lean-${name}-main.ts`);
    const connected = await coldPairs(bench, name, `tools/bench/programs/lean-${name}-connected-main.ts`);
    rows.push(
      rowOf({
        ...common,
        name: `${titles[name]}, cold start and first response`,
        ...samplesOf(whole, ({ totalMs }) => totalMs),
        ratioMax: ratiosMax[name],
      }),
      rowOf({
        ...common,
        name: `${titles[name]}, first response, both connected`,
        ...samplesOf(connected, ({ totalMs, loadMs }) => totalMs - loadMs),
      }),
    );
  }
  return rows;
}

interface Pair {
  readonly measured: ColdRun;
  readonly least: ColdRun;
}

const samplesOf = (runs: readonly Pair[], of: (run: ColdRun) => number) => ({
  measured: runs.map(({ measured }) => of(measured)),
  least: runs.map(({ least }) => of(least)),
});

async function coldPairs({ standIn }: Bench, name: FunctionName, baseline: string): Promise<readonly Pair[]> {
  const environment = functionEnvironment(standIn);
  const event = JSON.stringify(eventOf(`${name}-live`));
  const run = (entry: string): Promise<ColdRun> =>
    messageOf(startProcess({ file: 'cold.mjs', args: [mainOf(buildOf(entry)), event], environment }));
  const endsMs = performance.now() + budgetMs;
  const found: Pair[] = [];
  while (found.length === 0 || (found.length <= pairs && performance.now() < endsMs)) {
    const measured = await run(entryOf(name));
    const least = await run(baseline);
    if (!isDeepStrictEqual(comparable(measured.result), comparable(least.result)))
      throw new Error(`${name} and its baseline give different responses`);
    found.push({ measured, least });
  }
  // The first pair finds no file in the machine's memory.
  return found.length > 1 ? found.slice(1) : found;
}
