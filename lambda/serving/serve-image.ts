/** Answers a valid request of a known caller: with a stock image, an AI image, or an AI image where no stock image fits. */

import { type Caller, isPublished, type KeyedCaller } from '../credentials/caller';
import type { Answer, Refused } from '../images/answer';
import { isKept } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import { type AiRequest, aiRequestOf, type ImageRequest, type StockRequest } from '../requests/image-request';
import type { Services } from '../services';
import { serveStock } from '../stock/serve-stock';
import { payOnce } from './pay-once';
import { answerTest } from './test-values';

/**
 * Charges each request, and the image of a signer or site key once a day.
 * @throws when a table or a function fails; what was charged has been given back by then.
 */
export async function serveImage(
  services: Services,
  request: ImageRequest,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  const tested = await answerTest(services, request, caller, context, (ordinary, free) =>
    serveImage(services, ordinary, caller, free),
  );
  if (tested) return tested;
  const mayGenerate = request.provider === 'ai' || request.filters.onmiss === 'ai';
  if (mayGenerate && caller.kind === 'anonymous')
    return { outcome: 'refused', refusal: { code: 'authentication_required' } };
  const pay = (of: ImageRequest, given: RequestContext, serve: (paid: RequestContext) => Promise<Answer>) =>
    isPublished(caller) ? payOnce(services, caller, of, given, serve) : serve(given);
  const generate = (ai: AiRequest, given: RequestContext) =>
    pay(ai, given, async (paid) => {
      const { serveAi, servePicked } = await import('../stock/new-images');
      return (ai.pick === undefined ? serveAi : servePicked)(services, ai, caller as KeyedCaller, paid);
    });
  if (request.provider === 'ai') return generate(request, context);
  const answer = await pay(request, context, async (paid) => {
    const answer = await serveStock(services, request, paid);
    if (request.pick === undefined || caller.kind === 'anonymous' || !isMissed(answer)) return answer;
    // A pick by itself does not say whether it is of an AI image.
    const { servePicked } = await import('../stock/new-images');
    const picked = await servePicked(services, request, caller, paidBy(answer, paid));
    // Of no image of its own, the answer still says what became of the charge, and of the quota.
    return picked.outcome === 'refused' && answer.payment ? { payment: answer.payment, ...picked } : picked;
  });
  return answer.outcome === 'served' ? answer : orGenerated(answer, request, context, generate);
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

function isMissed(answer: Answer): answer is Refused {
  return answer.outcome === 'refused' && answer.refusal.code === 'no_image_found';
}

/** The context in which another image is served in place of a refused one: a charge that was not given back pays for it. */
function paidBy({ payment }: Refused, context: RequestContext): RequestContext {
  return payment && isKept(payment) ? { ...context, payment } : context;
}
