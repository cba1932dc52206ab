/** The CPU of a warm request: its logic alone, with its DynamoDB write, and on a plan with a usage break-down. */

import { isDeepStrictEqual } from 'node:util';
import { entryOf } from '../../../lib/functions/bundle';
import { functionEnvironment } from '../loopback/function-environment';
import { type Row, rowOf } from '../row';
import { alternate } from './alternate';
import type { Bench } from './bench';
import { buildOf, eventOf, mainOf } from './built';
import { comparable } from './comparable';

export async function measureWarm({ standIn }: Bench): Promise<readonly Row[]> {
  const event = eventOf('redirect-live');
  const environment = functionEnvironment(standIn);
  const logic = mainOf(buildOf('tools/bench/programs/logic.ts'));
  const service = { file: mainOf(buildOf(entryOf('redirect'))), name: 'handler', event };
  const alone = await alternate({
    measured: { file: logic, name: 'measured', event },
    least: { file: logic, name: 'least', event },
    environment,
    warmUp: 20_000,
    rounds: 30,
    perRound: 3_000,
    budgetMs: 6_000,
  });
  const calls = { environment, warmUp: 2_000, rounds: 20, perRound: 200, budgetMs: 8_000 };
  const writing = await alternate({
    ...calls,
    measured: service,
    least: { file: mainOf(buildOf('tools/bench/programs/lean-redirect-main.ts')), name: 'handler', event },
  });
  const business = await alternate({
    ...calls,
    measured: { ...service, event: eventOf('redirect-live', 'business') },
    least: service,
  });
  for (const { results } of [alone, writing]) {
    if (!isDeepStrictEqual(comparable(results[0]), comparable(results[1])))
      throw new Error('The redirect and its baseline give different responses');
  }
  const common = { group: 'warm', baseline: 'hand-written', unit: 'CPU µs' } as const;
  return [
    rowOf({ ...common, name: 'Known stock image, logic alone', ...alone.samples, ratioMax: 3 }),
    rowOf({ ...common, name: 'Known stock image with its one write', ...writing.samples, ratioMax: 1.75 }),
    rowOf({
      ...common,
      name: 'Known stock image on the business plan',
      baseline: 'the same on free',
      ...business.samples,
      ratioMax: 1.15,
    }),
  ];
}
