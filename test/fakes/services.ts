/** Use these `Services` where a test gives only some parts: a database and a virtual clock are there. */

import { createDeadline } from '../../lambda/base/deadline';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { systemIds } from '../../lambda/base/ids';
import type { Services } from '../../lambda/services/services';
import { createVirtualClock } from './clock';
import type { Engine } from './database';
import { quiet } from './telemetry';

/**
 * Makes services on these tables. If code uses a service that the test has not given, reading it throws an error
 * with the name of the service: a test then fails where the service is missing, and not somewhere behind it.
 */
export function createServicesOn<S extends Services = Services>(
  { database, tableNames }: Pick<Engine, 'database' | 'tableNames'>,
  givenServices: Partial<S> = {},
): S {
  const services = {
    database,
    tables: tableNames,
    clock: createVirtualClock(),
    ids: systemIds,
    random: () => 0.5,
    refusals: createExpiringCache(1_000),
    freeImages: createExpiringCache(1_000),
    telemetry: quiet,
    announce: async () => undefined,
    deadline: createDeadline(Infinity),
    ...givenServices,
  };
  return throwIfAbsent(services) as unknown as S;
}

/** Wraps an object, so that reading a property that it does not have throws an error with the name. */
function throwIfAbsent<T extends object>(target: T): T {
  return new Proxy(target, {
    get(_, name) {
      if (name in target) return target[name as keyof T];
      throw new Error(`The test gives no ${String(name)}`);
    },
  });
}
