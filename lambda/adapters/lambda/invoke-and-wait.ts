/** Invokes a function and waits for its answer, until a deadline. */

import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { Clock } from '../../ports/clock';
import { RendererBusy } from '../../ports/renderer';
import { isThrottled, retryThrottled } from './throttle';

/** @returns what the function answered. @throws when it failed; `RendererBusy` when it did not answer by the deadline (epoch, milliseconds). */
export type InvokeAndWait = (event: object, deadlineMs: number) => Promise<unknown>;

/** @param client built with `maxAttempts: 1`, so that only a refusal that did no work is repeated */
export function createInvokeAndWait(client: LambdaClient, functionName: string, clock: Clock): InvokeAndWait {
  return async (event, deadlineMs) => {
    const Payload = new TextEncoder().encode(JSON.stringify(event));
    const remainingMs = deadlineMs - clock.nowMs();
    if (remainingMs <= 0) throw new RendererBusy('The renderer did not answer by the deadline');
    const abortSignal = AbortSignal.timeout(remainingMs);
    const invoke = () =>
      client.send(
        new InvokeCommand({ FunctionName: functionName, InvocationType: 'RequestResponse', Payload }),
        { abortSignal },
      );
    const answer = await retryThrottled(clock, invoke, abortSignal).catch((error: unknown) => {
      if (abortSignal.aborted)
        throw new RendererBusy('The renderer did not answer by the deadline', { cause: error });
      if (isThrottled(error)) throw new RendererBusy('The renderer has no free instance', { cause: error });
      throw error;
    });
    const text = new TextDecoder().decode(answer.Payload);
    if (answer.FunctionError !== undefined)
      throw new Error(`The renderer failed (${answer.FunctionError}): ${text.slice(0, 500)}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}
