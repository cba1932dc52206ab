/** Processes that take units on the same tables, for the tests of limits. */

import { computeHourWindow } from '../../lambda/base/window';
import type { Limit } from '../../lambda/quota/limit';
import type { LimitServices } from '../../lambda/quota/take';
import { createVirtualClock } from '../fakes/clock';
import { createFaultyDatabase, type Fault, startEngine } from '../fakes/database';
import { startFixture } from '../fakes/fixture';
import { createServicesOn } from '../fakes/services';

/** The error of a call that a table refuses. */
export const makeRefusedCall = () =>
  Object.assign(new Error('no table'), { $metadata: { httpStatusCode: 400 } });

/** Starts tables for the tests of a file. Each process is another instance on them. */
export function startTables() {
  const engine = startFixture(startEngine);
  const clock = createVirtualClock();
  const makeLimit = (owner: string, max: number, changes: Partial<Limit> = {}): Limit => ({
    kind: 'requests',
    owner,
    max,
    window: computeHourWindow(clock.nowMs()),
    unitName: 'requests',
    ...changes,
  });
  const createProcess = (fault?: Fault): LimitServices =>
    createServicesOn(fault ? { ...engine, database: createFaultyDatabase(engine, fault) } : engine, {
      clock,
    });
  return { clock, makeLimit, createProcess };
}
