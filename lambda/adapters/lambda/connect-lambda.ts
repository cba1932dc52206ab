/** The Lambda client that the invoking adapters share. */

import { LambdaClient } from '@aws-sdk/client-lambda';
import { awsConnectionTimeoutMs } from '../../contract/timeouts';

/** One attempt: what may be repeated, and when, the adapters decide. The deadline comes with each call. */
export function connectLambda(): LambdaClient {
  return new LambdaClient({ maxAttempts: 1, requestHandler: { connectionTimeout: awsConnectionTimeoutMs } });
}
