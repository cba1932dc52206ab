/** How many functions of the AWS account may run at once, as an instance knows it: what bounds the requests that wait. */

import type { Clock } from '../base/clock';
import { orLogged } from '../base/or-logged';
import type { Telemetry } from '../base/telemetry';

/** Concurrent executions of a new AWS account; taken for granted where the account's own number cannot be read. */
const newAccountExecutions = 10;

/** What an instance believes for an hour; for a minute where it is only assumed. */
export interface KnownExecutions {
  /** All who ask at the same time wait for one read, as the images of a batch do. */
  unreserved?: Promise<number>;
  /** Moment (epoch, milliseconds) until which it is believed. */
  endsMs?: number;
}

/**
 * How many executions the account may run. Where Lambda does not answer, as many as before, or as a new account. Never throws.
 * @param read asks Lambda
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
