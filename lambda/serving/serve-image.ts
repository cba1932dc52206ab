/** Decides for a valid request what pays for it, and whether a stock image or an AI image is served. */

import type { Caller, KeyedCaller } from '../credentials/caller';
import type { Answer, RefusedAnswer } from '../quota/answer';
import { readStatus, type ServingContext } from '../quota/pay';
import { freePayment, staysCharged } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import { type AiRequest, aiRequestOf, type ImageRequest, type StockRequest } from '../requests/image-request';
import type { LabelledSize } from '../requests/rendition';
import type { Services } from '../services';
import { serveStock } from '../sources/serve-stock';
import { answerTestValue, type TestValue, testValueOf } from '../sources/test-value';
import { servePaidOnce } from './pay-once';

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
  return testValue === undefined
    ? serveWithOnmiss(services, request, caller, context)
    : serveTestValue(services, testValue, request, caller, context);
}

/** Answers a test value, or serves an ordinary image in its place for nothing. */
async function serveTestValue(
  services: Services,
  value: TestValue,
  request: ImageRequest,
  caller: Caller,
  context: ServingContext,
): Promise<Answer> {
  const payment = freePayment('test-value', await readStatus(services, context));
  const testAnswer = await answerTestValue(services, value, request, context, payment);
  if (testAnswer) return testAnswer;
  const ordinary = { ...request, query: 'mountain lake' };
  const free = { ...context, earlierPayment: payment };
  const answer = await serveWithOnmiss(services, ordinary, caller, free);
  if (answer.outcome === 'refused' || value !== 'loose') return answer;
  return { ...answer, image: { ...answer.image, fit: 'loose' } };
}

/** Serves a request, or an AI image in its place where `onmiss` asks for it; without a key, no AI image. */
async function serveWithOnmiss(
  services: Services,
  request: ImageRequest,
  caller: Caller,
  context: ServingContext,
): Promise<Answer> {
  if (caller.kind === 'anonymous')
    return request.provider === 'ai' || request.filters.onmiss === 'ai'
      ? { outcome: 'refused', refusal: { code: 'authentication_required' } }
      : serveStock(services, request, context);
  const answer = await serveForKey(services, request, caller, context);
  const instead = request.provider === 'ai' ? undefined : aiInsteadOf(answer, request, context);
  return instead ? serveForKey(services, instead.request, caller, instead.context) : answer;
}

/** Serves an image of the request's source, which a signer or site key pays for once a day. */
async function serveForKey(
  services: Services,
  request: ImageRequest,
  caller: KeyedCaller,
  context: ServingContext,
): Promise<Answer> {
  return servePaidOnce(services, caller, request, context, (payingContext) =>
    request.provider === 'ai'
      ? serveAiImage(services, request, caller, payingContext)
      : serveStockOrPick(services, request, caller, payingContext),
  );
}

/** Serves a stock image. A pick that no provider has may be that of an AI image. */
async function serveStockOrPick(
  services: Services,
  request: StockRequest,
  caller: KeyedCaller,
  context: ServingContext,
): Promise<Answer> {
  const answer = await serveStock(services, request, context);
  if (request.pick === undefined || !isMissed(answer)) return answer;
  const picked = await serveAiImage(services, request, caller, contextAfter(answer, context));
  // The refusal of a pick that is of no AI image either has no payment: keep that of the stock answer.
  return picked.outcome === 'refused' && answer.payment ? { payment: answer.payment, ...picked } : picked;
}

/** Serves the AI image of a request's words or pick. */
export async function serveAiImage(
  services: Services,
  request: ImageRequest,
  caller: KeyedCaller,
  context: ServingContext,
): Promise<Answer> {
  const { createAiServices, serveAiByWordsOrPick } = await import('../unknown-images');
  return serveAiByWordsOrPick(await createAiServices(services), request, caller, context);
}

/** Serves an AI image by its id. @param size an absent side follows from the image's ratio */
export async function serveImageById(
  services: Services,
  imageId: string,
  size: Partial<LabelledSize>,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  const { createAiServices, servePermalink } = await import('../unknown-images');
  return servePermalink(await createAiServices(services), imageId, size, caller, context);
}

/** The request that replaces a `no_image_found` where `onmiss=ai` asks for it. It is charged by itself. */
export function aiInsteadOf(
  answer: Answer,
  request: StockRequest,
  context: ServingContext,
): { readonly request: AiRequest; readonly context: ServingContext } | undefined {
  if (!isMissed(answer) || request.pick !== undefined || request.filters.onmiss !== 'ai') return undefined;
  return { request: aiRequestOf(request), context: contextAfter(answer, context) };
}

const isMissed = (answer: Answer): answer is RefusedAnswer =>
  answer.outcome === 'refused' && answer.refusal.code === 'no_image_found';

/** The context in which another image replaces a missed one: a charge whose refund failed pays for it. */
function contextAfter({ payment }: RefusedAnswer, context: ServingContext): ServingContext {
  return payment && staysCharged(payment) ? { ...context, earlierPayment: payment } : context;
}
