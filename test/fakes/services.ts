/** Use these where code takes `Services`: a database, a moved clock, and whatever the test hands over. */

import { createDeadline } from '../../lambda/base/deadline';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { systemIds } from '../../lambda/base/ids';
import type { Services } from '../../lambda/services/services';
import { createVirtualClock } from './clock';
import type { Engine } from './database';
import { quiet } from './telemetry';

/** Services of a test on these tables; one that is used and not among `parts` throws. */
export function servicesOn<S extends Services = Services>(
  { database, tableNames }: Pick<Engine, 'database' | 'tableNames'>,
  parts: Partial<S> = {},
): S {
  const given = {
    database,
    tables: tableNames,
    clock: createVirtualClock(),
    ids: systemIds,
    random: () => 0.5,
    refusals: createExpiringCache(1_000),
    paidToday: createExpiringCache(1_000),
    telemetry: quiet,
    announce: async () => undefined,
    deadline: createDeadline(Infinity),
    ...parts,
  };
  return new Proxy(given, {
    get: (target, name) => {
      if (name in target) return target[name as keyof typeof target];
      throw new Error(`The test gives no ${String(name)}`);
    },
  }) as unknown as S;
}
