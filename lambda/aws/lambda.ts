/** Lambda: invokes functions, waiting for what they answer or not, and reads how many may run. What Lambda refused is repeated. */

import * as sdk from '@aws-sdk/client-lambda';
import type { Clock } from '../base/clock';
import { type Deadline, signalWithin } from '../base/deadline';
import { retry } from '../base/retry';
import type { Telemetry } from '../base/telemetry';
import { lambdaTimes as times } from '../contract/timeouts';
import { clientDefaults } from './agent';
import { isUnconnected } from './errors';

/** Concurrent executions of a new AWS account; taken for granted where the account's own number cannot be read. */
const newAccountExecutions = 10;

/** What a process knows of Lambda. */
export interface Lambda {
  readonly client: sdk.LambdaClient;
  /** Executions of the account that no function has reserved, until a moment (epoch, milliseconds). */
  executions?: { readonly unreserved: number; readonly endsMs: number };
}

/** What a call needs of `Services`. */
interface LambdaServices {
  readonly clock: Clock;
  readonly deadline: Deadline;
}

/** @param config region, endpoint and credentials where the environment does not say them, as in a test */
export function connectLambda(config: sdk.LambdaClientConfig = {}): Lambda {
  return { client: new sdk.LambdaClient({ ...clientDefaults(), ...config }) };
}

/** What came of an invocation that was waited for; `busy` where no instance was free, or none answered in time: the work may go on. */
type Invoked =
  | { readonly outcome: 'answered'; readonly answer: unknown }
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
  const busy = (reason: string): Invoked => ({ outcome: 'busy', reason });
  const leftMs = Math.min(waitEndsMs, services.deadline.endsMs) - services.clock.nowMs();
  if (leftMs <= 0) return busy('No time is left to wait for an answer');
  const abortSignal = signalWithin(services, leftMs);
  const command = new sdk.InvokeCommand({ FunctionName, Payload: JSON.stringify(event) });
  try {
    const call = () => client.send(command, { abortSignal });
    const { FunctionError, Payload } = await repeated(services.clock, call, abortSignal);
    const text = new TextDecoder().decode(Payload);
    if (FunctionError !== undefined)
      throw new Error(`${FunctionName} failed (${FunctionError}): ${text.slice(0, 500)}`);
    return { outcome: 'answered', answer: text === '' ? undefined : JSON.parse(text) };
  } catch (error) {
    if (abortSignal.aborted) return busy('It did not answer in time');
    if (isRefused(error)) return busy(error.message);
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
  const Payload = JSON.stringify(event);
  const command = new sdk.InvokeCommand({ FunctionName, InvocationType: 'Event', Payload });
  const call = () => client.send(command, { abortSignal: signalWithin(services, times.invokeLaterMs) });
  const { StatusCode } = await repeated(services.clock, call);
  if (StatusCode !== 202) throw new Error(`Lambda answered an asynchronous invocation with ${StatusCode}`);
}

/**
 * How many concurrent executions of the account no function has reserved, read once an hour by each instance. What cannot
 * be read is what it was before, or that of a new account, for a minute. Never throws.
 */
export async function unreservedExecutions(
  services: LambdaServices & { readonly telemetry: Telemetry },
  lambda: Lambda,
): Promise<number> {
  const nowMs = services.clock.nowMs();
  const { unreserved = newAccountExecutions, endsMs = 0 } = lambda.executions ?? {};
  if (endsMs > nowMs) return unreserved;
  lambda.executions = { unreserved, endsMs: nowMs + 60_000 };
  try {
    const abortSignal = signalWithin(services, times.accountSettingsMs);
    const { AccountLimit } = await lambda.client.send(new sdk.GetAccountSettingsCommand(), { abortSignal });
    const read = AccountLimit?.UnreservedConcurrentExecutions;
    if (read === undefined) throw new Error('Lambda did not say how many executions are unreserved');
    lambda.executions = { unreserved: read, endsMs: nowMs + 3_600_000 };
  } catch (error) {
    services.telemetry.error('The executions of the account could not be read', error);
  }
  return lambda.executions.unreserved;
}

/** Whether Lambda took no call, as no instance is free, or was not reached, so that the call may be sent again. */
function isRefused(error: unknown): error is Error {
  return error instanceof sdk.TooManyRequestsException || isUnconnected(error);
}

/** @throws the error of the last attempt */
function repeated<T>(clock: Clock, call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const pauseMsAfter = (error: unknown, attempt: number) =>
    isRefused(error) ? times.pauseMs * attempt : undefined;
  return retry(call, { attemptsMax: times.attemptsMax, pauseMsAfter, clock, signal });
}
