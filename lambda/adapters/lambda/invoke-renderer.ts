/** The renderer port by invoking the renderer function and waiting for its answer. */

import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { type RenditionOutcome, readRenditionOutcome } from '../../contract/messages/rendition-outcome';
import type { Clock } from '../../ports/clock';
import { type Renderer, RendererBusy } from '../../ports/renderer';
import { isThrottled, retryThrottled } from './throttle';

/** @param client built with `maxAttempts: 1`, so that only a refusal that did no work is repeated */
export function createInvokeRenderer(client: LambdaClient, functionName: string, clock: Clock): Renderer {
  return {
    async render(job, deadlineMs) {
      const Payload = new TextEncoder().encode(JSON.stringify(job));
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
      return outcomeOf(answer.FunctionError, answer.Payload);
    },
  };
}

function outcomeOf(functionError: string | undefined, payload: Uint8Array | undefined): RenditionOutcome {
  const text = new TextDecoder().decode(payload);
  if (functionError !== undefined)
    throw new Error(`The renderer failed (${functionError}): ${text.slice(0, 500)}`);
  const answer: unknown = text === '' ? undefined : JSON.parse(text);
  const outcome = readRenditionOutcome(answer);
  if (outcome) return outcome;
  throw new Error(`The renderer answered something else: ${text.slice(0, 200)}`);
}
