/** The CPU of a warm request: its logic alone, with its DynamoDB write, and on a plan with a usage break-down. */

import { entryOf } from '../../../lib/functions/bundle';
import { assertEqual, eventOf, mainOf } from '../builds';
import type { Loopback } from '../loopback';
import { alternate } from '../processes';
import { type Row, rowOf } from '../row';

/** Rows of the group `warm`. @throws `Error` when the compared programs answer differently */
export async function measureWarm({ environment }: Loopback): Promise<readonly Row[]> {
  const event = eventOf('redirect-live');
  const logic = mainOf('tools/bench/programs/logic.ts');
  const service = { file: mainOf(entryOf('redirect')), name: 'handler', event };
  const calls = { environment, warmUp: 2_000, rounds: 20, perRound: 200, budgetMs: 8_000 };
  const row = { group: 'warm', baseline: 'hand-written', unit: 'CPU µs' } as const;
  const alone = await alternate({
    measured: { file: logic, name: 'measured', event },
    least: { file: logic, name: 'least', event },
    environment,
    warmUp: 20_000,
    rounds: 30,
    perRound: 3_000,
    budgetMs: 6_000,
  });
  const writing = await alternate({
    ...calls,
    measured: service,
    least: { file: mainOf('tools/bench/programs/lean-redirect-main.ts'), name: 'handler', event },
  });
  for (const { results } of [alone, writing]) assertEqual('The redirect', ...results);
  const business = await alternate({
    ...calls,
    measured: { ...service, event: eventOf('redirect-live', 'business') },
    least: service,
  });
  return [
    rowOf({ ...row, name: 'Known stock image, logic alone', ...alone.samples, ratioMax: 3 }),
    rowOf({ ...row, name: 'Known stock image with its one write', ...writing.samples, ratioMax: 1.75 }),
    rowOf({
      ...row,
      name: 'Known stock image on the business plan',
      baseline: 'the same on free',
      ...business.samples,
      ratioMax: 1.15,
    }),
  ];
}
