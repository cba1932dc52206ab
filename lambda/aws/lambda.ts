/** Lambda: invokes functions, waiting for what they answer or not, and reads how many may run. What Lambda refused is repeated. */

import {
  GetAccountSettingsCommand,
  InvokeCommand,
  LambdaClient,
  type LambdaClientConfig,
  TooManyRequestsException,
} from '@aws-sdk/client-lambda';
import type { Clock } from '../base/clock';
import { type Deadline, signalWithin } from '../base/deadline';
import { retry } from '../base/retry';
import type { Telemetry } from '../base/telemetry';
import {
  accountSettingsTimeoutMs,
  invokeAsyncTimeoutMs,
  invokeAttemptsMax,
  invokePauseMs,
} from '../contract/timeouts';
import { clientDefaults } from './agent';
import { isUnconnected } from './errors';

/** Concurrent executions of a new AWS account; taken for granted where the account's own number cannot be read. */
const newAccountExecutions = 10;

/** How long an instance believes what it has read of the account, and what it assumed when that failed, in milliseconds. */
const executionsKnownForMs = { read: 3_600_000, assumed: 60_000 } as const;

/** What a process knows of Lambda. */
export interface Lambda {
  readonly client: LambdaClient;
  /** Executions of the account that no function has reserved, until a moment (epoch, milliseconds). */
  executions?: { readonly unreserved: number; readonly endsMs: number };
}

/** What a call needs of `Services`. */
interface LambdaServices {
  readonly clock: Clock;
  readonly deadline: Deadline;
}

/** @param config region, endpoint and credentials where the environment does not say them, as in a test */
export function connectLambda(config: LambdaClientConfig = {}): Lambda {
  return { client: new LambdaClient({ ...clientDefaults(), ...config }) };
}

/** What came of an invocation that was waited for. */
export type Invoked =
  | { readonly outcome: 'answered'; readonly answer: unknown }
  /** No instance was free, or none answered in time: the work may go on. */
  | { readonly outcome: 'busy'; readonly reason: string };

/**
 * Invokes a function and waits for its answer.
 * @param waitEndsMs moment (epoch, milliseconds) at which waiting ends, before or with the time of the request
 * @throws when the function failed, or Lambda did not take the call
 */
export async function invoke(
  services: LambdaServices,
  { client }: Lambda,
  FunctionName: string,
  event: object,
  waitEndsMs: number,
): Promise<Invoked> {
  const leftMs = Math.min(waitEndsMs, services.deadline.endsMs) - services.clock.nowMs();
  if (leftMs <= 0) return { outcome: 'busy', reason: 'No time is left to wait for an answer' };
  const abortSignal = signalWithin(services, leftMs);
  const command = new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) });
  try {
    const call = () => client.send(command, { abortSignal });
    const { FunctionError, Payload } = await repeated(services.clock, call, abortSignal);
    const text = new TextDecoder().decode(Payload);
    if (FunctionError === undefined)
      return { outcome: 'answered', answer: text === '' ? undefined : JSON.parse(text) };
    throw new Error(`${FunctionName} failed (${FunctionError}): ${text.slice(0, 500)}`);
  } catch (error) {
    if (abortSignal.aborted) return { outcome: 'busy', reason: 'It did not answer in time' };
    if (error instanceof TooManyRequestsException) return { outcome: 'busy', reason: 'No instance is free' };
    if (isUnconnected(error)) return { outcome: 'busy', reason: 'No connection was made in time' };
    throw error;
  }
}

/** Hands an event over to a function, which has it later. @throws when it was refused, and when it is not known whether it was taken */
export async function invokeLater(
  services: LambdaServices,
  { client }: Lambda,
  FunctionName: string,
  event: object,
): Promise<void> {
  const command = new InvokeCommand({
    FunctionName,
    InvocationType: 'Event',
    Payload: JSON.stringify(event),
  });
  const { StatusCode } = await repeated(services.clock, () =>
    client.send(command, { abortSignal: signalWithin(services, invokeAsyncTimeoutMs) }),
  );
  if (StatusCode !== 202) throw new Error(`Lambda answered an asynchronous invocation with ${StatusCode}`);
}

/**
 * How many concurrent executions of the account no function has reserved, read once an hour by each instance. What cannot
 * be read is what it was before, or that of a new account. Never throws.
 */
export async function unreservedExecutions(
  services: LambdaServices & { readonly telemetry: Telemetry },
  lambda: Lambda,
): Promise<number> {
  const nowMs = services.clock.nowMs();
  const { executions: known } = lambda;
  if (known && known.endsMs > nowMs) return known.unreserved;
  try {
    // One attempt, because what is not known is assumed.
    const abortSignal = signalWithin(services, accountSettingsTimeoutMs);
    const { AccountLimit } = await lambda.client.send(new GetAccountSettingsCommand(), { abortSignal });
    const { UnreservedConcurrentExecutions: unreserved } = AccountLimit ?? {};
    if (unreserved === undefined) throw new Error('Lambda did not say how many executions are unreserved');
    lambda.executions = { unreserved, endsMs: nowMs + executionsKnownForMs.read };
  } catch (error) {
    services.telemetry.error('The executions of the account could not be read', error);
    const unreserved = known?.unreserved ?? newAccountExecutions;
    lambda.executions = { unreserved, endsMs: nowMs + executionsKnownForMs.assumed };
  }
  return lambda.executions.unreserved;
}

/** Repeats what Lambda refused or never received, so that this is safe. @throws the error of the last attempt */
function repeated<T>(clock: Clock, call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const pauseMsAfter = (error: unknown, attempt: number) =>
    error instanceof TooManyRequestsException || isUnconnected(error) ? invokePauseMs * attempt : undefined;
  return retry(call, { attemptsMax: invokeAttemptsMax, pauseMsAfter, clock, ...(signal && { signal }) });
}
