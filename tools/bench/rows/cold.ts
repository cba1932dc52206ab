/** Cold starts: a new process that loads a function, connects over TLS and answers its first event. */

import { entryOf } from '../../../lib/functions/bundle';
import { assertAlike, eventOf, mainOf } from '../builds';
import type { Loopback } from '../loopback';
import { messageOf, startProcess } from '../processes';
import { type Row, rowOf } from '../row';

/** The first pair finds no file in the machine's memory, and is left out. */
const pairs = 16;
/** For each of the two functions, in milliseconds. */
const budgetMs = 60_000;

/** Function, its title, and the highest ratio to the program of `programs/sdk-….ts`. */
const functions = [
  ['api', 'API', 1.5],
  ['authorizer', 'Authorizer', 1.2],
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
    while (least.length < 2 || (least.length < pairs && performance.now() < endsMs)) {
      const whole = await run(entryOf(name));
      const program = await run(`tools/bench/programs/sdk-${name}.ts`);
      assertAlike(name, whole.result, program.result);
      measured.push(whole.totalMs);
      least.push(program.totalMs);
    }
    rows.push(
      rowOf({
        group: 'cold',
        name: `${title}, cold start and first response`,
        baseline: 'the same calls by the SDK',
        unit: 'CPU ms',
        measured: measured.slice(1),
        least: least.slice(1),
        ratioMax,
      }),
    );
  }
  return rows;
}
