/** Cold starts: a new process that loads a function, connects over TLS and answers its first event. */

import { entryOf } from '../../../lib/functions/bundle';
import { assertEqual, eventOf, mainOf } from '../builds';
import type { Loopback } from '../loopback';
import { messageOf, startProcess } from '../processes';
import { type Row, rowOf } from '../row';

const pairs = 15;
/** For each of the two functions. */
const budgetMs = 10_000;

/** Function, its title, and the highest ratio to the hand-written program. */
const functions = [
  ['redirect', 'Redirect', 1.75],
  ['authorizer', 'Authorizer', 1.5],
] as const;

/** Rows of the group `cold`: a start with its first response, for which both sides have to connect. */
export async function measureCold({ environment }: Loopback): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [name, title, ratioMax] of functions) {
    const event = JSON.stringify(eventOf(`${name}-live`));
    const run = (entry: string) =>
      messageOf<{ readonly result: unknown; readonly totalMs: number }>(
        startProcess({ file: 'cold.mjs', args: [mainOf(entry), event], environment }),
      );
    const endsMs = performance.now() + budgetMs;
    const [measured, least]: [number[], number[]] = [[], []];
    while (least.length === 0 || (least.length <= pairs && performance.now() < endsMs)) {
      const whole = await run(entryOf(name));
      const lean = await run(`tools/bench/programs/lean-${name}-main.ts`);
      assertEqual(name, whole.result, lean.result);
      measured.push(whole.totalMs);
      least.push(lean.totalMs);
    }
    // The first pair finds no file in the machine's memory.
    const from = least.length > 1 ? 1 : 0;
    rows.push(
      rowOf({
        group: 'cold',
        name: `${title}, cold start and first response`,
        baseline: 'hand-written',
        unit: 'CPU ms',
        measured: measured.slice(from),
        least: least.slice(from),
        ratioMax,
      }),
    );
  }
  return rows;
}
