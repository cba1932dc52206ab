/** How many concurrent executions of the account no function has reserved. */

import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { Clock } from '../base/clock';
import { currentSignal } from '../base/request-deadline';
import type { Telemetry } from '../base/telemetry';
import { executionsKnownForMs, newAccountExecutions } from '../contract/executions';
import { accountSettingsTimeoutMs } from '../contract/timeouts';

/**
 * Read once an hour by each instance. What cannot be read is what it was before, or that of a new account. Never throws.
 */
export function createUnreservedExecutions(
  client: LambdaClient,
  { clock, telemetry }: { readonly clock: Pick<Clock, 'nowMs'>; readonly telemetry: Telemetry },
): () => Promise<number> {
  let known: { readonly executions: number; readonly endsMs: number } | undefined;
  return async () => {
    if (known && known.endsMs > clock.nowMs()) return known.executions;
    try {
      const executions = await readUnreserved(client);
      known = { executions, endsMs: clock.nowMs() + executionsKnownForMs.read };
    } catch (error) {
      telemetry.error('The executions of the account could not be read', error);
      const executions = known?.executions ?? newAccountExecutions;
      known = { executions, endsMs: clock.nowMs() + executionsKnownForMs.assumed };
    }
    return known.executions;
  };
}

/** One attempt, because what is not known is assumed. */
async function readUnreserved(client: LambdaClient): Promise<number> {
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand(), {
    abortSignal: currentSignal(accountSettingsTimeoutMs),
  });
  const unreserved = AccountLimit?.UnreservedConcurrentExecutions;
  if (unreserved === undefined) throw new Error('Lambda did not say how many executions are unreserved');
  return unreserved;
}
