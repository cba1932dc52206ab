/** The placeholder maker port by invoking the renderer function and waiting for its answer. */

import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { PlaceholderOrder } from '../../contract/messages/background-job';
import type { PlaceholderJob } from '../../contract/messages/placeholder-job';
import { isPlaceholder } from '../../contract/messages/rendition-outcome';
import type { Placeholder } from '../../domain/image/image';
import type { Clock } from '../../ports/clock';
import type { PlaceholderMaker } from '../../ports/placeholder-maker';
import { createInvokeAndWait } from './invoke-and-wait';

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
