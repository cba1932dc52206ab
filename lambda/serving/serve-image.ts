/** Answers a valid request, of a key or anonymous, with a stock image or an AI image. */

import { type Caller, isPublished, type KeyedCaller } from '../credentials/caller';
import type { Answer, RefusedAnswer } from '../images/answer';
import { refundAndThrow } from '../quota/charge';
import { staysCharged } from '../quota/payment';
import { type RequestContext, settledPaymentOf } from '../quota/request-context';
import { type AiRequest, aiRequestOf, type ImageRequest, type StockRequest } from '../requests/image-request';
import type { LabelledSize } from '../requests/rendition';
import type { Services } from '../services';
import { serveStock } from '../sources/serve-stock';
import { serveTestValue, testValueOf } from '../sources/serve-test-value';
import { claimForDay, serveAndSettle } from './pay-once';

/**
 * Charges each request, and the image of a signer or site key once a day. A test value costs nothing.
 * @throws when a table or a function fails; what was charged is refunded by then
 */
export async function serveImage(
  services: Services,
  request: ImageRequest,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  const testValue = testValueOf(services, request, caller);
  if (testValue === undefined) return serveWithOnmiss(services, request, caller, context);
  const test = await serveTestValue(services, testValue, request, context);
  if ('answer' in test) return test.answer;
  const answer = await serveWithOnmiss(services, test.request, caller, test.context);
  if (answer.outcome === 'refused' || testValue !== 'loose') return answer;
  return { ...answer, image: { ...answer.image, fit: 'loose' } };
}

/** Serves a request, or an AI image in its place where `onmiss` asks for it; without a key, no AI image. */
async function serveWithOnmiss(
  services: Services,
  request: ImageRequest,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  if (caller.kind === 'anonymous')
    return request.provider === 'ai' || request.filters.onmiss === 'ai'
      ? { outcome: 'refused', refusal: { code: 'authentication_required' } }
      : serveStock(services, request, context);
  const answer = await servePaidOnce(services, request, caller, context);
  if (request.provider === 'ai') return answer;
  const ai = aiInsteadOf(answer, request, context);
  return ai ? servePaidOnce(services, ai.request, caller, ai.context) : answer;
}

/** Serves the image of a key for a charge; that of a signer or site key for one charge a day. */
async function servePaidOnce(
  services: Services,
  request: ImageRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<Answer> {
  if (!isPublished(caller)) return serveBySource(services, request, caller, context);
  const paying = await claimForDay(services, caller, request, context);
  if ('refusal' in paying) return paying;
  return serveAndSettle(services, paying, () => serveBySource(services, request, caller, paying));
}

/** Serves an image of the request's source. A pick that no provider has may be that of an AI image. */
async function serveBySource(
  services: Services,
  request: ImageRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<Answer> {
  if (request.provider === 'ai') return serveAiImage(services, request, caller, context);
  const answer = await serveStock(services, request, context);
  if (request.pick === undefined || !isMissed(answer)) return answer;
  const picked = await serveAiImage(services, request, caller, paidBy(answer, context));
  // The refusal of a pick that is of no AI image either has no payment: keep that of the stock answer.
  return picked.outcome === 'refused' && answer.payment ? { payment: answer.payment, ...picked } : picked;
}

/** Serves the AI image of a request's pick or words, and stores it under its pick. */
export async function serveAiImage(
  services: Services,
  request: ImageRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<Answer> {
  const { createAiServices, storePickedAiImage, serveAi, serveAiPick } = await import('../uncached');
  const ai = await createAiServices(services);
  const serving =
    request.provider === 'ai' && request.pick === undefined
      ? serveAi(ai, request, caller, context)
      : serveAiPick(ai, request, caller, context);
  // `serveAi` refunds its own charge, not an earlier one, which is refunded here.
  const settled = settledPaymentOf(context);
  const answer = await (settled ? serving.catch((error) => refundAndThrow(ai, settled, error)) : serving);
  // An image that was paid before is stored already.
  if (answer.outcome === 'served' && context.pays.kind === 'charge')
    await storePickedAiImage(services, answer.image);
  return answer;
}

/** Serves an AI image by its id. @param size an absent side follows from the image's ratio */
export async function serveImageById(
  services: Services,
  imageId: string,
  size: Partial<LabelledSize>,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  const { createAiServices, storePickedAiImage, servePermalink } = await import('../uncached');
  const ai = await createAiServices(services);
  const answer = await servePermalink(ai, imageId, size, caller, context);
  if (answer.outcome === 'served' && caller.kind !== 'anonymous')
    await storePickedAiImage(services, answer.image);
  return answer;
}

/** The request that replaces a `no_image_found` where `onmiss=ai` asks for it. It is charged by itself. */
export function aiInsteadOf(
  answer: Answer,
  request: StockRequest,
  context: RequestContext,
): { readonly request: AiRequest; readonly context: RequestContext } | undefined {
  if (!isMissed(answer) || request.pick !== undefined || request.filters.onmiss !== 'ai') return undefined;
  return { request: aiRequestOf(request), context: paidBy(answer, context) };
}

const isMissed = (answer: Answer): answer is RefusedAnswer =>
  answer.outcome === 'refused' && answer.refusal.code === 'no_image_found';

/** The context in which another image replaces a refused one: a charge whose refund failed pays for it. */
function paidBy({ payment }: RefusedAnswer, context: RequestContext): RequestContext {
  return payment && staysCharged(payment) ? { ...context, pays: { kind: 'settled', payment } } : context;
}
