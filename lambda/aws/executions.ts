/** Reads the executions of the AWS account. They bound how many requests may wait for an AI image. */

import type { Clock } from '../base/clock';
import type { ExpiringCache } from '../base/expiring-cache';
import { type Telemetry, tryAndLog } from '../base/telemetry';

/** The concurrent executions of a new AWS account. This number is used if none can be read. */
const newAccountExecutions = 10;

/**
 * Reads how many executions no function has reserved. One read serves an hour, and all images of a batch.
 * After a failure, the last number serves for a minute. Never throws.
 */
export async function readExecutions(
  { clock, telemetry }: { readonly clock: Clock; readonly telemetry: Telemetry },
  memory: ExpiringCache<Promise<number>>,
  read: () => Promise<number>,
): Promise<number> {
  const nowMs = clock.nowMs();
  const rememberedExecutions = memory.get('now', nowMs);
  if (rememberedExecutions) return rememberedExecutions;
  const lastExecutions = memory.get('last', nowMs);
  const reading = tryAndLog(telemetry, 'The executions of the account could not be read', read);
  const executions = reading.then(async (count) => count ?? (await lastExecutions) ?? newAccountExecutions);
  memory.set('last', executions, Infinity);
  memory.set('now', executions, nowMs + 60_000);
  if ((await reading) !== undefined) memory.set('now', executions, nowMs + 3_600_000);
  return executions;
}
