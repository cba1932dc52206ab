/** What may answer where no stock image was found: an AI image with the request's pick, or one that is generated. */

import type { Caller } from '../credentials/caller';
import type { Answer, Refused } from '../images/answer';
import { isKept } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import { type AiRequest, aiRequestOf, type StockRequest } from '../requests/image-request';
import type { Parts } from '../services';

/** The refusal, or the AI image of a pick, which by itself does not say that it is one's. */
export async function orPicked(
  answer: Refused,
  request: StockRequest,
  caller: Caller,
  context: RequestContext,
  servePicked: Parts['servePicked'],
): Promise<Answer> {
  if (!isMissed(answer) || caller.kind === 'anonymous') return answer;
  return servePicked(request, caller, paidBy(answer, context));
}

/**
 * The refusal of a request for a stock image, or an AI image where none was found and the request has `onmiss`: an
 * image of its own, which is charged by itself.
 */
export async function orGenerated(
  answer: Refused,
  request: StockRequest,
  context: RequestContext,
  generate: (request: AiRequest, context: RequestContext) => Promise<Answer>,
): Promise<Answer> {
  if (!isMissed(answer) || request.pick !== undefined || request.filters.onmiss !== 'ai') return answer;
  return generate(aiRequestOf(request), paidBy(answer, context));
}

function isMissed({ refusal }: Refused): boolean {
  return refusal.code === 'no_image_found';
}

/** The context in which another image is served in place of a refused one: a charge that was not given back pays for it. */
function paidBy({ payment }: Refused, context: RequestContext): RequestContext {
  return payment && isKept(payment) ? { ...context, payment } : context;
}
