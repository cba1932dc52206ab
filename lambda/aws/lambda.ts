/** Invokes functions of Lambda, and reads the executions of the account. */

import * as sdk from '@aws-sdk/client-lambda';
import { createSignal, type TimedServices } from '../base/deadline';
import { Outage } from '../base/outage';
import { retry } from '../base/retry';
import { lambdaTimes as times } from '../contract/timeouts';
import { makeClientDefaults } from './agent';
import { isUnconnected } from './errors';

export type Lambda = sdk.LambdaClient;

/** Connects a process to Lambda. Without `config`, the environment decides. */
export function connectLambda(config: sdk.LambdaClientConfig = {}): Lambda {
  return new sdk.LambdaClient({ ...makeClientDefaults(), ...config });
}

/** The error when no instance was free, or when none answered in time. Then the work may go on. */
export class FunctionBusy extends Outage {
  override readonly name = 'FunctionBusy';
}

/** Invokes a function and waits for its answer until the deadline. Throws `FunctionBusy` if none comes. */
export async function invokeFunction(
  services: TimedServices,
  client: Lambda,
  FunctionName: string,
  event: object,
): Promise<unknown> {
  const leftMs = services.deadline.endsMs - services.clock.nowMs();
  if (leftMs <= 0) throw new FunctionBusy('No time is left to wait for an answer');
  const abortSignal = createSignal(services, leftMs);
  const command = new sdk.InvokeCommand({ FunctionName, Payload: JSON.stringify(event) });
  const send = () => client.send(command, { abortSignal });
  const { FunctionError, Payload } = await sendAgain(services, send, abortSignal).catch((cause: unknown) => {
    if (abortSignal.aborted) throw new FunctionBusy('It did not answer in time', { cause });
    throw isRefused(cause) ? new FunctionBusy(cause.message, { cause }) : cause;
  });
  const text = new TextDecoder().decode(Payload);
  if (FunctionError === undefined) return text === '' ? undefined : JSON.parse(text);
  throw new Error(`${FunctionName} failed (${FunctionError}): ${text.slice(0, 500)}`);
}

/** Invokes a function later: hands its event over to Lambda. Throws if Lambda refuses or does not answer. */
export async function invokeLater(
  services: TimedServices,
  client: Lambda,
  FunctionName: string,
  event: object,
): Promise<void> {
  const Payload = JSON.stringify(event);
  const command = new sdk.InvokeCommand({ FunctionName, InvocationType: 'Event', Payload });
  await sendAgain(services, () =>
    client.send(command, { abortSignal: createSignal(services, times.invokeLaterMs) }),
  );
}

/** Reads how many concurrent executions no function has reserved. Throws when the one attempt fails. */
export async function readUnreservedExecutions(services: TimedServices, client: Lambda): Promise<number> {
  const abortSignal = createSignal(services, times.accountSettingsMs);
  const { AccountLimit } = await client.send(new sdk.GetAccountSettingsCommand(), { abortSignal });
  const unreserved = AccountLimit?.UnreservedConcurrentExecutions;
  if (unreserved === undefined) throw new Error('Lambda did not say how many executions are unreserved');
  return unreserved;
}

/** Recognises that Lambda has not taken a call, so that it may be sent again. */
function isRefused(error: unknown): error is Error {
  return error instanceof sdk.TooManyRequestsException || isUnconnected(error);
}

function sendAgain<T>({ clock }: TimedServices, send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const computePauseMs = (error: unknown, attempt: number) =>
    isRefused(error) ? times.pauseMs * attempt : undefined;
  return retry(send, { attemptsMax: times.attemptsMax, computePauseMs, clock, signal });
}
