/** Invokes the renderer, waiting for what it makes, and functions whose work is done later; what Lambda refused is repeated. */

import { InvokeCommand, LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import type { Clock } from '../../base/clock';
import { currentSignal } from '../../base/request-deadline';
import { retry } from '../../base/retry';
import {
  awsConnectionTimeoutMs,
  invokeAsyncTimeoutMs,
  invokeAttemptsMax,
  invokePauseMs,
} from '../../contract/timeouts';
import type { GenerationJob, GeneratorQueue } from '../../generation/generator-queue';
import { type Background, type Renderer, RendererBusy } from '../../images/renderer';
import type { RenditionOutcome, UseReport } from '../../images/renderer-job';

/**
 * The client that all invocations share. One attempt: what may be repeated is decided here, and deadlines come with each
 * call. Without a bound on sockets: an invocation that waited for one would count as one that has no connection.
 */
export function connectLambda(config: LambdaClientConfig = {}): LambdaClient {
  const sockets = { keepAlive: true, maxSockets: Infinity };
  return new LambdaClient({
    maxAttempts: 1,
    requestHandler: { connectionTimeout: awsConnectionTimeoutMs, httpAgent: sockets, httpsAgent: sockets },
    ...config,
  });
}

/** The renderer port. @param client built with `maxAttempts: 1`, so that only a refusal that did no work is repeated */
export function createInvokeRenderer(client: LambdaClient, functionName: string, clock: Clock): Renderer {
  const invoke = createInvokeAndWait(client, functionName, clock);
  return {
    render: async (job, deadlineMs) => (await invoke(job, deadlineMs)) as RenditionOutcome,
  };
}

/** @returns what the function answered. @throws when it failed; `RendererBusy` when it did not answer by the deadline (epoch, milliseconds). */
type InvokeAndWait = (event: object, deadlineMs: number) => Promise<unknown>;

/** @param client built with `maxAttempts: 1`, so that only a refusal that did no work is repeated */
function createInvokeAndWait(client: LambdaClient, functionName: string, clock: Clock): InvokeAndWait {
  return async (event, deadlineMs) => {
    const Payload = new TextEncoder().encode(JSON.stringify(event));
    const remainingMs = deadlineMs - clock.nowMs();
    if (remainingMs <= 0) throw new RendererBusy('The renderer did not answer by the deadline');
    const abortSignal = currentSignal(remainingMs);
    const invoke = () =>
      client.send(
        new InvokeCommand({ FunctionName: functionName, InvocationType: 'RequestResponse', Payload }),
        { abortSignal },
      );
    const answer = await retryThrottled(clock, invoke, abortSignal).catch((error: unknown) => {
      if (abortSignal.aborted)
        throw new RendererBusy('The renderer did not answer by the deadline', { cause: error });
      if (isThrottled(error)) throw new RendererBusy('The renderer has no free instance', { cause: error });
      if (isUnconnected(error))
        throw new RendererBusy('No connection to the renderer was made in time', { cause: error });
      throw error;
    });
    const text = new TextDecoder().decode(answer.Payload);
    if (answer.FunctionError !== undefined)
      throw new Error(`The renderer failed (${answer.FunctionError}): ${text.slice(0, 500)}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

/** The generator's queue. @param client built with `maxAttempts: 1` */
export function createInvokeGeneratorQueue(
  client: LambdaClient,
  functionName: string,
  clock: Clock,
): GeneratorQueue {
  return { handOver: createInvokeAsync<GenerationJob>(client, functionName, clock) };
}

/** The renderer's background work. @param client built with `maxAttempts: 1` */
export function createInvokeBackground(client: LambdaClient, functionName: string, clock: Clock): Background {
  return { handOver: createInvokeAsync<UseReport>(client, functionName, clock) };
}

function createInvokeAsync<Event extends object>(
  client: LambdaClient,
  functionName: string,
  clock: Clock,
): (event: Event) => Promise<void> {
  return (event) => {
    const Payload = new TextEncoder().encode(JSON.stringify(event));
    return retryThrottled(clock, async () => {
      const { StatusCode } = await client.send(
        new InvokeCommand({ FunctionName: functionName, InvocationType: 'Event', Payload }),
        { abortSignal: currentSignal(invokeAsyncTimeoutMs) },
      );
      if (StatusCode !== 202)
        throw new Error(`Lambda answered an asynchronous invocation with ${StatusCode}`);
    });
  };
}

/** Repeats what Lambda refused or never received, so that this is safe. @throws the error of the last attempt. */
function retryThrottled<T>(clock: Clock, invoke: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const pauseMsAfter = (error: unknown, attempt: number) =>
    isThrottled(error) || isUnconnected(error) ? invokePauseMs * attempt : undefined;
  return retry(invoke, { attemptsMax: invokeAttemptsMax, pauseMsAfter, clock, ...(signal && { signal }) });
}

/** Whether Lambda refused because no instance was free. */
function isThrottled(error: unknown): boolean {
  return (error as { readonly name?: unknown } | undefined)?.name === 'TooManyRequestsException';
}

/** Whether no connection was made in time, as on a machine that is busy, so that nothing was sent. */
function isUnconnected(error: unknown): boolean {
  const { name, message } = (error ?? {}) as Partial<Error>;
  return name === 'TimeoutError' && /did not establish a connection/.test(message ?? '');
}
