/** Reads what an error of AWS's SDK says about the call that it ended. */

import {
  ConditionalCheckFailedException,
  LimitExceededException,
  ProvisionedThroughputExceededException,
  RequestLimitExceeded,
  ThrottlingException,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { DeadlineReached } from '../base/deadline';
import { Outage } from '../base/outage';

/**
 * `conditionFailed`: the condition of the write did not hold. `notApplied`: refused before anything was done, and worth
 * another attempt (throttled, or a clock that was off and is corrected now), or not sent for want of time. `rejected`:
 * refused, and always will be.
 * `unknownOutcome`: it may or may not have been applied (no answer, an answer that is none, a server's error).
 */
export type CallFailure = 'conditionFailed' | 'notApplied' | 'rejected' | 'unknownOutcome';

const throttles = [
  ProvisionedThroughputExceededException,
  ThrottlingException,
  RequestLimitExceeded,
  LimitExceededException,
];
/** Those of services whose errors have no class of their own here. */
const throttleNames = new Set(['Throttling', 'TooManyRequestsException', 'SlowDown']);

/** @param error of a command of any client, or the `Outage` that it became */
export function callFailureOf(error: unknown): CallFailure {
  if (error instanceof Outage) return callFailureOf(error.cause);
  if (error instanceof ConditionalCheckFailedException) return 'conditionFailed';
  if (!(error instanceof Error)) return 'unknownOutcome';
  if (error instanceof DeadlineReached) return 'notApplied';
  if (throttles.some((throttle) => error instanceof throttle) || throttleNames.has(error.name))
    return 'notApplied';
  const status = statusOf(error);
  // A text that is no answer comes from something between, which may have passed the call on.
  if (status === undefined || status < 400 || status >= 500 || error instanceof SyntaxError)
    return 'unknownOutcome';
  const { clockSkewCorrected } = (error as SdkError).$metadata ?? {};
  return clockSkewCorrected === true ? 'notApplied' : 'rejected';
}

/** The status of the HTTP answer behind an error; `undefined` where there was none. */
export function statusOf(error: unknown): number | undefined {
  return (error as SdkError | undefined)?.$metadata?.httpStatusCode;
}

/** Whether no connection was made in time, as on a machine that is busy, so that nothing was sent. */
export function isUnconnected(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === 'TimeoutError' &&
    error.message.includes('did not establish a connection')
  );
}

/**
 * The item as it stood when a condition failed, in plain JavaScript values: the document client leaves it in DynamoDB's
 * form. `undefined` where there was none, and from an engine that does not send it (dynalite).
 */
export function refusedItemOf(error: unknown): Readonly<Record<string, unknown>> | undefined {
  return error instanceof ConditionalCheckFailedException && error.Item ? unmarshall(error.Item) : undefined;
}

interface SdkError {
  readonly $metadata?: { readonly httpStatusCode?: number; readonly clockSkewCorrected?: boolean };
}
