/** What may answer where no stock image was found: an AI image with the request's pick, or one that is generated. */

import type { Caller, KeyedCaller } from '../credentials/caller';
import type { ServeAi } from '../generation/serve-ai';
import type { ServePicked } from '../generation/serve-permalink';
import type { Answer } from '../images/answer';
import type { RequestContext } from '../quota/request-context';
import { aiRequestOf, type StockRequest } from '../requests/image-request';

/** The answer to a request for a stock image after its refusal. */
export async function afterMiss(
  answer: Answer,
  request: StockRequest,
  caller: Caller,
  context: RequestContext,
  serveAi: ServeAi,
  servePicked: ServePicked,
): Promise<Answer> {
  // A pick by itself does not say that it is an AI image's.
  if (request.pick === undefined || caller.kind === 'anonymous' || !isMissed(answer))
    return orGenerated(answer, request, caller, context, serveAi);
  return servePicked(request, caller, paidBy(answer, context));
}

/** The answer to a request for a stock image, or an AI image where that has found none and the request has `onmiss`. */
export async function orGenerated(
  answer: Answer,
  request: StockRequest,
  caller: Caller,
  context: RequestContext,
  serveAi: ServeAi,
): Promise<Answer> {
  if (!isMissed(answer) || request.filters.onmiss !== 'ai') return answer;
  return serveAi(aiRequestOf(request), caller as KeyedCaller, paidBy(answer, context));
}

function isMissed(answer: Answer): boolean {
  return answer.outcome === 'refused' && answer.refusal.code === 'no_image_found';
}

/** A charge that stands for the stock image that was not found pays for the next one. */
function paidBy({ payment }: Answer, context: RequestContext): RequestContext {
  return payment && payment.state !== 'refunded' ? { ...context, payment } : context;
}
