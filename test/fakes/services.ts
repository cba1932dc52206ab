/** `Services` of a test: tables of an engine, a moved clock, and whatever else the test hands over. */

import { deadlineAt } from '../../lambda/base/deadline';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { systemIds } from '../../lambda/base/ids';
import type { Services } from '../../lambda/services/services';
import type { Engine } from './dynamodb-engine';
import { createVirtualClock } from './virtual-clock';

export const quiet: Services['telemetry'] = {
  info: () => undefined,
  error: () => undefined,
  count: () => undefined,
  time: () => undefined,
};

/** Decides what becomes of one call: sends it, or not, or sends it and loses the answer. */
export type Fault = (input: CallInput, send: () => Promise<unknown>) => Promise<unknown>;

/** The input of a command, for tests. */
export interface CallInput {
  readonly Key?: { readonly pk: string };
  readonly UpdateExpression?: string;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
}

/** The database of another process on the same tables, each of whose calls a test decides about. */
export function faultyDatabase({ database }: Pick<Engine, 'database'>, fault: Fault): Engine['database'] {
  const client = Object.create(database.client) as typeof database.client;
  client.send = ((command: { readonly input: CallInput }, options: object) =>
    fault(command.input, () => database.client.send(command as never, options))) as typeof client.send;
  return { ...database, client, silentUntilMs: new Map() };
}

/** Makes the error that the SDK throws when no answer comes. */
export const lostAnswer = (): Error => Object.assign(new Error('aborted'), { code: 'ECONNRESET' });

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
    deadline: deadlineAt(Infinity),
    ...parts,
  };
  return new Proxy(given, {
    get: (target, name) => {
      if (name in target) return target[name as keyof typeof target];
      throw new Error(`The test gives no ${String(name)}`);
    },
  }) as unknown as S;
}
