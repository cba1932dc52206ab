/** Answers a valid request of a known caller: with a stock image, an AI image, or an AI image where no stock image fits. */

import type { Caller, KeyedCaller } from '../credentials/caller';
import type { ServeAi } from '../generation/serve-ai';
import type { ServePicked } from '../generation/serve-permalink';
import type { Answer } from '../images/answer';
import type { RequestContext } from '../quota/request-context';
import { aiRequestOf, type ImageRequest, type StockRequest } from '../requests/image-request';
import type { ServeStock } from '../stock/serve-stock';

export type ServeImage = (request: ImageRequest, caller: Caller, context: RequestContext) => Promise<Answer>;

/** @throws when a table or a function fails; what was charged has been given back by then. */
export function createServeImage(
  serveStock: ServeStock,
  serveAi: ServeAi,
  servePicked: ServePicked,
): ServeImage {
  return async (request, caller, context) => {
    const mayGenerate = request.provider === 'ai' || request.filters.onmiss === 'ai';
    if (mayGenerate && caller.kind === 'anonymous')
      return { outcome: 'refused', refusal: { code: 'authentication_required' } };
    if (request.provider === 'ai')
      return (request.pick === undefined ? serveAi : servePicked)(request, caller as KeyedCaller, context);
    const account = caller.kind === 'anonymous' ? undefined : caller.account;
    const answer = await serveStock(request, context, account);
    // A pick by itself does not say that it is an AI image's.
    if (request.pick === undefined || caller.kind === 'anonymous' || !isMissed(answer))
      return orGenerated(answer, request, caller, context, serveAi);
    return servePicked(request, caller, paidBy(answer, context));
  };
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
