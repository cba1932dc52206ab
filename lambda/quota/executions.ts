/** Concurrent executions of the AWS account, which bound the requests that wait for an image. */

import type { Clock } from '../base/clock';
import { orLogged } from '../base/or-logged';
import type { Telemetry } from '../base/telemetry';

/** Concurrent executions of a new AWS account, assumed where the account's own number cannot be read. */
const newAccountExecutions = 10;

/** The number that an instance relies on for an hour, or for a minute where it is assumed. */
export interface KnownExecutions {
  /** The images of a batch, which ask at the same time, wait for one read. */
  unreserved?: Promise<number>;
  /** Moment (epoch, milliseconds) until which it is believed. */
  endsMs?: number;
}

/**
 * Concurrent executions that no function has reserved, as Lambda said last; those of a new account where it
 * never did. Never throws.
 * @param known is changed: the memory of the instance, empty at first
 */
export async function executionsOf(
  { clock, telemetry }: { readonly clock: Clock; readonly telemetry: Telemetry },
  known: KnownExecutions,
  read: () => Promise<number>,
): Promise<number> {
  const nowMs = clock.nowMs();
  const { unreserved: before, endsMs = 0 } = known;
  if (before && nowMs < endsMs) return before;
  known.endsMs = nowMs + 60_000;
  const reading = orLogged(telemetry, 'The executions of the account could not be read', read);
  known.unreserved = reading.then((executions) => {
    if (executions !== undefined) known.endsMs = nowMs + 3_600_000;
    return executions ?? before ?? newAccountExecutions;
  });
  return known.unreserved;
}
