/** Use these limits where a test reads what was counted, or makes calls that count fail. */

import { GetCommand, type UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type Clock, systemClock } from '../../lambda/base/clock';
import { createDeadline, DeadlineReached } from '../../lambda/base/deadline';
import type { Telemetry } from '../../lambda/base/telemetry';
import type { Limit } from '../../lambda/quota/limit';
import { readUsedUnits } from '../../lambda/quota/take';
import type { Services } from '../../lambda/services/services';
import { awaitArrival, createDatabase, createMemoryDynamoDb, makeLostAnswer } from './memory-database';
import { createServicesOn } from './services';
import { createRecordedTelemetry } from './telemetry';

/** The fate of a call that takes a unit: done, its answer lost, throttled or refused. */
export type ScriptedTake = undefined | 'unknown' | 'throttled' | Error | Promise<void>;

export type FakeLimits = ReturnType<typeof createFakeLimits>;

export function createFakeLimits(
  clock: Pick<Clock, 'nowMs'>,
  telemetry: Telemetry = createRecordedTelemetry(),
) {
  const memory = createMemoryDynamoDb();
  /** In order, with the key of the item that counts. */
  const calls: { operation: 'take' | 'giveBackUnits' | 'read'; key: string }[] = [];
  /** The fates of the next calls that take, in order. */
  const script: ScriptedTake[] = [];
  let refundFailure: Error | undefined;
  const send = async (command: unknown): Promise<unknown> => {
    if (command instanceof GetCommand) {
      calls.push({ operation: 'read', key: String(command.input.Key?.['pk']) });
      return memory.apply(command);
    }
    const { Key, ExpressionAttributeValues: values = {} } = (command as UpdateCommand).input;
    const operation = ':minusOne' in values ? 'giveBackUnits' : 'take';
    calls.push({ operation, key: String(Key?.['pk']) });
    await awaitArrival();
    if (operation === 'giveBackUnits') {
      if (refundFailure) throw refundFailure;
      return memory.apply(command);
    }
    const scripted = script.shift();
    if (scripted instanceof Promise) await scripted;
    if (scripted instanceof Error) throw Object.assign(scripted, { $metadata: { httpStatusCode: 400 } });
    if (scripted === 'unknown') throw makeLostAnswer();
    if (scripted === 'throttled') {
      script.unshift(...(throttledBefore++ % 3 < 2 ? ([scripted] as const) : []));
      throw new DeadlineReached('throttled');
    }
    return memory.apply(command);
  };
  let throttledBefore = 0;
  /** Another instance on the same tables, which remembers nothing. */
  const createInstance = (): Services =>
    createServicesOn(
      { database: createDatabase(send), tableNames: memory.tableNames },
      {
        // Pauses between attempts take no time.
        clock: { ...systemClock, nowMs: () => clock.nowMs(), sleep: async () => undefined },
        random: () => 0,
        telemetry,
      },
    );
  const services = createInstance();
  return {
    services,
    memory,
    calls,
    script,
    createInstance,
    /** Makes every give-back fail with this error from now on, or work again. */
    failRefunds: (error: Error | undefined) => {
      refundFailure = error;
    },
    readUsedUnits: (limit: Limit) => {
      const database = createDatabase(async (read) => memory.apply(read));
      // A reader of its own does not take the table for silent.
      return readUsedUnits({ ...services, database, deadline: createDeadline(Infinity) }, limit);
    },
  };
}
