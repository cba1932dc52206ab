/** The ports of the renderer and of the placeholder maker by invoking the renderer function and waiting for its answer. */

import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { PlaceholderJob, PlaceholderOrder } from '../../contract/messages/renderer-job';
import { isPlaceholder, readRenditionOutcome } from '../../contract/messages/rendition-outcome';
import type { Placeholder } from '../../domain/image/image';
import type { Clock } from '../../ports/clock';
import type { PlaceholderMaker, Renderer } from '../../ports/renderer';
import { createInvokeAndWait } from './invoke';

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

/** @param client built with `maxAttempts: 1` */
export function createInvokePlaceholderMaker(
  client: LambdaClient,
  functionName: string,
  clock: Clock,
): PlaceholderMaker {
  const invoke = createInvokeAndWait(client, functionName, clock);
  const made = async (job: PlaceholderJob | PlaceholderOrder, deadlineMs: number): Promise<Placeholder> => {
    const { placeholder } = ((await invoke(job, deadlineMs)) ?? {}) as { readonly placeholder?: unknown };
    if (isPlaceholder(placeholder)) return placeholder;
    throw new Error('The renderer made no placeholder');
  };
  return {
    ofBlurHash: (blurHash, { widthPx, heightPx }, deadlineMs) =>
      made({ blurHash, widthPx, heightPx }, deadlineMs),
    ofImage: made,
  };
}
