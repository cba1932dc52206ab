/** The CPU of a warm request: with its DynamoDB write, and on a plan with a usage break-down. */

import { entryOf } from '../../../lib/functions/bundle';
import { assertAlike, eventOf, mainOf } from '../builds';
import type { Loopback } from '../loopback';
import { alternate } from '../processes';
import { type Row, rowOf } from '../row';

/** Rows of the group `warm`. @throws `Error` when the compared programs answer differently */
export async function measureWarm({ environment }: Loopback): Promise<readonly Row[]> {
  const event = eventOf('api-live');
  const service = { file: mainOf(entryOf('api')), name: 'handler', event };
  const calls = { environment, warmUp: 4_000, rounds: 20, perRound: 200, budgetMs: 40_000 };
  const writing = await alternate({
    ...calls,
    measured: service,
    least: { file: mainOf('tools/bench/programs/sdk-api.ts'), name: 'handler', event },
  });
  assertAlike('The redirect', ...writing.results);
  const business = await alternate({
    ...calls,
    measured: { ...service, event: eventOf('api-live', 'business') },
    least: service,
  });
  const row = { group: 'warm', unit: 'CPU µs' } as const;
  return [
    rowOf({
      ...row,
      name: 'Known stock image with its one write',
      baseline: 'the same call by the SDK',
      ...writing.samples,
      ratioMax: 1.5,
    }),
    rowOf({
      ...row,
      name: 'Known stock image on the business plan',
      baseline: 'the same on free',
      ...business.samples,
      ratioMax: 2,
    }),
  ];
}
