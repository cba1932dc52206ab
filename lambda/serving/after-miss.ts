/** What may answer where no stock image was found: an AI image with the request's pick, or one that is generated. */

import type { Caller } from '../credentials/caller';
import type { ServePicked } from '../generation/serve-permalink';
import type { Answer } from '../images/answer';
import type { RequestContext } from '../quota/request-context';
import { type AiRequest, aiRequestOf, type StockRequest } from '../requests/image-request';

/** The answer, or the AI image of a pick, which by itself does not say that it is one's. */
export async function orPicked(
  answer: Answer,
  request: StockRequest,
  caller: Caller,
  context: RequestContext,
  servePicked: ServePicked,
): Promise<Answer> {
  if (caller.kind === 'anonymous' || !isMissed(answer)) return answer;
  return servePicked(request, caller, paidBy(answer, context));
}

/**
 * The answer to a request for a stock image, or an AI image where that has found none and the request has `onmiss`: an
 * image of its own, which is charged by itself.
 */
export async function orGenerated(
  answer: Answer,
  request: StockRequest,
  context: RequestContext,
  generate: (request: AiRequest, context: RequestContext) => Promise<Answer>,
): Promise<Answer> {
  if (request.pick !== undefined || !isMissed(answer) || request.filters.onmiss !== 'ai') return answer;
  return generate(aiRequestOf(request), paidBy(answer, context));
}

function isMissed(answer: Answer): boolean {
  return answer.outcome === 'refused' && answer.refusal.code === 'no_image_found';
}

/** A charge that could not be given back for the stock image pays for the next one. */
function paidBy({ payment }: Answer, context: RequestContext): RequestContext {
  return payment?.state === 'owed' ? { ...context, payment } : context;
}
