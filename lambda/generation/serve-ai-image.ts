/** Serves the AI image that a request names by its words or by a pick. */

import type { KeyedCaller } from '../credentials/caller';
import type { Answer } from '../images/answer';
import { type StoreServices, storePickedAiImage } from '../images/picked-images';
import type { ServingContext } from '../quota/payer';
import { ErrorAfterCharge } from '../quota/payment';
import type { ImageRequest } from '../requests/image-request';
import type { AiServices } from './ai-services';
import { serveAi } from './serve-ai';
import { serveAiPick } from './serve-permalink';

/**
 * Serves an AI image, and stores it under its pick.
 * @throws `ErrorAfterCharge` when a table fails and the request is paid already, or was charged and refunded
 */
export async function serveAiByWordsOrPick(
  services: AiServices & StoreServices,
  request: ImageRequest,
  caller: KeyedCaller,
  context: ServingContext,
): Promise<Answer> {
  const { settled } = context.payer;
  try {
    const answer =
      request.provider === 'ai' && request.pick === undefined
        ? await serveAi(services, request, caller, context)
        : await serveAiPick(services, request, caller, context);
    // An image that was paid before is stored already.
    if (answer.outcome === 'served' && !settled) await storePickedAiImage(services, answer.image);
    return answer;
  } catch (error) {
    throw settled ? new ErrorAfterCharge(settled, error) : error;
  }
}
