/** Reads how many executions the AWS account has, which bound the requests that wait for an image. */

import type { Clock } from '../base/clock';
import type { ExpiringCache } from '../base/expiring-cache';
import { type Telemetry, undefinedIfFailed } from '../base/telemetry';

/** Concurrent executions of a new AWS account, assumed where the account's own number cannot be read. */
const newAccountExecutions = 10;

/**
 * Reads how many executions no function has reserved, once an hour; images of a batch, which ask at the same
 * time, share a read. After a failure the last number is used for a minute. Never throws.
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
  const reading = undefinedIfFailed(telemetry, 'The executions of the account could not be read', read);
  const executions = reading.then(async (answer) => answer ?? (await lastExecutions) ?? newAccountExecutions);
  memory.set('last', executions, Infinity);
  memory.set('now', executions, nowMs + 60_000);
  if ((await reading) !== undefined) memory.set('now', executions, nowMs + 3_600_000);
  return executions;
}
