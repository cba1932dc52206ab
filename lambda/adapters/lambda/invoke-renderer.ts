/** The renderer port by invoking the renderer function and waiting for its answer. */

import type { LambdaClient } from '@aws-sdk/client-lambda';
import { readRenditionOutcome } from '../../contract/messages/rendition-outcome';
import type { Clock } from '../../ports/clock';
import type { Renderer } from '../../ports/renderer';
import { createInvokeAndWait } from './invoke-and-wait';

/** @param client built with `maxAttempts: 1`, so that only a refusal that did no work is repeated */
export function createInvokeRenderer(client: LambdaClient, functionName: string, clock: Clock): Renderer {
  const invoke = createInvokeAndWait(client, functionName, clock);
  return {
    async render(job, deadlineMs) {
      const answer = await invoke(job, deadlineMs);
      const outcome = readRenditionOutcome(answer);
      if (outcome) return outcome;
      const text = answer === undefined ? '' : JSON.stringify(answer);
      throw new Error(`The renderer answered something else: ${text.slice(0, 200)}`);
    },
  };
}
