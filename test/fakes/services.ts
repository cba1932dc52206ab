/** `Services` of a test: tables of an engine, a clock that the test moves, and whatever else the test hands over. */

import { deadlineAt } from '../../lambda/base/deadline';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { systemIds } from '../../lambda/base/system';
import type { Services } from '../../lambda/services';
import type { Engine } from '../contracts/dynamodb-engine';
import { createVirtualClock } from './virtual-clock';

const quiet: Services['telemetry'] = {
  info: () => undefined,
  error: () => undefined,
  count: () => undefined,
  time: () => undefined,
};

/** @param parts what the test decides; a part that is used and was not handed over throws */
export function servicesOn(
  { database, tableNames }: Pick<Engine, 'database' | 'tableNames'>,
  parts: Partial<Services> = {},
): Services {
  const given: Partial<Services> = {
    database,
    tables: tableNames,
    clock: createVirtualClock(),
    ids: systemIds,
    random: () => 0.5,
    refusals: createExpiringCache(1_000),
    telemetry: quiet,
    deadline: deadlineAt(Infinity),
    ...parts,
  };
  const absent: ProxyHandler<Partial<Services>> = {
    get: (target, name) => {
      if (name in target) return target[name as keyof Services];
      throw new Error(`The test gives no ${String(name)}`);
    },
  };
  return new Proxy(given, absent) as Services;
}
