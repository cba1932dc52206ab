/** Requests to a warm function: its logic alone, and with its one write to DynamoDB. */

import { isDeepStrictEqual } from 'node:util';
import { functionEnvironment } from '../loopback/function-environment';
import { type Row, rowOf } from '../row';
import { alternate } from './alternate';
import type { Bench } from './bench';
import { buildOf, eventOf, functionEntry, mainOf } from './built';
import { comparable } from './comparable';

export async function measureWarm({ standIn }: Bench): Promise<readonly Row[]> {
  const event = eventOf('redirect-live');
  const environment = functionEnvironment(standIn);
  const logic = mainOf(buildOf('bench/programs/logic.ts'));
  const alone = await alternate({
    measured: { file: logic, name: 'measured' },
    least: { file: logic, name: 'least' },
    event,
    environment,
    warmUp: 20_000,
    rounds: 30,
    perRound: 3_000,
    budgetMs: 8_000,
  });
  const writing = await alternate({
    measured: { file: mainOf(buildOf(functionEntry('redirect'))), name: 'handler' },
    least: { file: mainOf(buildOf('bench/programs/lean-redirect-main.ts')), name: 'handler' },
    event,
    environment,
    warmUp: 4_000,
    rounds: 20,
    perRound: 200,
    budgetMs: 12_000,
  });
  for (const { results } of [alone, writing]) {
    if (!isDeepStrictEqual(comparable(results[0]), comparable(results[1])))
      throw new Error('The redirect and its comparison give different answers');
  }
  const common = { group: 'warm', baseline: 'hand-written', unit: 'CPU µs' } as const;
  return [
    rowOf({ ...common, name: 'Known stock image, logic alone', ...alone.samples, ratioMax: 3 }),
    rowOf({ ...common, name: 'Known stock image with its one write', ...writing.samples, ratioMax: 2.6 }),
  ];
}
