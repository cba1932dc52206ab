/** Reads how many concurrent executions of the account no function has reserved. */

import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { currentSignal } from '../base/request-deadline';
import { accountSettingsTimeoutMs } from '../contract/timeouts';

/**
 * One attempt, because what is not known is assumed.
 * @throws when Lambda does not say it within its deadline
 */
export function createReadUnreservedExecutions(client: LambdaClient): () => Promise<number> {
  return async () => {
    const { AccountLimit } = await client.send(new GetAccountSettingsCommand(), {
      abortSignal: currentSignal(accountSettingsTimeoutMs),
    });
    const unreserved = AccountLimit?.UnreservedConcurrentExecutions;
    if (unreserved === undefined) throw new Error('Lambda did not say how many executions are unreserved');
    return unreserved;
  };
}
