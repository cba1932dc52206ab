/** Classifies the errors of AWS's SDK: was the call applied, and may it be repeated? */

import * as sdk from '@aws-sdk/client-dynamodb';
import { DeadlineReached } from '../base/deadline';
import { Outage } from '../base/outage';

/**
 * `conditionFailed`: the condition of the write did not hold.
 * `notApplied`: nothing was done, and another attempt may succeed. For example, the call was throttled.
 * `rejected`: the call was refused, and every attempt would be.
 * `unknownOutcome`: the call may have been applied. For example, no answer came, or a server error.
 */
export type CallFailure = 'conditionFailed' | 'notApplied' | 'rejected' | 'unknownOutcome';

const notAppliedClasses = [
  DeadlineReached,
  sdk.ProvisionedThroughputExceededException,
  sdk.ThrottlingException,
  sdk.RequestLimitExceeded,
  sdk.LimitExceededException,
];

/** Classifies the error of any client, or the `Outage` that wraps it. */
export function classifyCallFailure(error: unknown): CallFailure {
  if (error instanceof sdk.ConditionalCheckFailedException) return 'conditionFailed';
  const { name, $metadata = {} } = (error ?? {}) as Partial<SdkError>;
  const { httpStatusCode: status = 0, clockSkewCorrected } = $metadata;
  // The SDK has no class for DynamoDB's error `Throttling`.
  if (name === 'Throttling' || notAppliedClasses.some((errorClass) => error instanceof errorClass))
    return 'notApplied';
  if (error instanceof Outage) return classifyCallFailure(error.cause);
  // A body that is no JSON comes from a proxy, which may have passed the call on.
  if (status < 400 || status >= 500 || error instanceof SyntaxError) return 'unknownOutcome';
  return clockSkewCorrected ? 'notApplied' : 'rejected';
}

/** Recognises that no connection was made in time, so that nothing was sent. */
export function isUnconnected(error: unknown): boolean {
  const { name, message } = (error ?? {}) as Partial<Error>;
  return name === 'TimeoutError' && message?.includes('did not establish a connection') === true;
}

interface SdkError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number; readonly clockSkewCorrected?: boolean };
}
