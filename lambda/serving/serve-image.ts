/** Answers a valid request, of a key or anonymous, with a stock image or an AI image. */

import { type Caller, isPublished, type KeyedCaller } from '../credentials/caller';
import type { Answer, RefusedAnswer } from '../images/answer';
import { createPayer, type ServingContext, settledPayer } from '../quota/payer';
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
  requestContext: RequestContext,
): Promise<Answer> {
  const context = { ...requestContext, payer: createPayer(services, requestContext) };
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
  const payment = freePayment('test-value', await context.payer.readStatus());
  const testAnswer = await answerTestValue(services, value, request, context, payment);
  if (testAnswer) return testAnswer;
  const payer = settledPayer(payment, context.payer.workLimits);
  const ordinary = { ...request, query: 'mountain lake' };
  const answer = await serveWithOnmiss(services, ordinary, caller, { ...context, payer });
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
  const ai = request.provider === 'ai' ? undefined : aiInsteadOf(answer, request, context);
  return ai ? serveForKey(services, ai.request, caller, ai.context) : answer;
}

/** Serves an image of the request's source, which a signer or site key pays for once a day. */
async function serveForKey(
  services: Services,
  request: ImageRequest,
  caller: KeyedCaller,
  context: ServingContext,
): Promise<Answer> {
  const serve = (payer: ServingContext['payer']) =>
    request.provider === 'ai'
      ? serveAiImage(services, request, caller, { ...context, payer })
      : serveStockOrPick(services, request, caller, { ...context, payer });
  return isPublished(caller)
    ? servePaidOnce(services, caller, request, context, serve)
    : serve(context.payer);
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
  const payer = createPayer(services, context);
  return servePermalink(await createAiServices(services), imageId, size, caller, { ...context, payer });
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
  if (!payment || !staysCharged(payment)) return context;
  return { ...context, payer: settledPayer(payment, context.payer.workLimits) };
}
