/** Decides for a valid request what pays for it, and whether a stock image or an AI image is served. */

import { testSlowMs } from '../contract/test-values';
import type { Caller, KeyedCaller } from '../credentials/caller';
import { isMissed } from '../images/answer';
import type { Answer } from '../quota/answer';
import { readStatus } from '../quota/pay';
import { freePayment, paymentOfError } from '../quota/payment';
import { contextAfterMiss, type RequestContext } from '../quota/request-context';
import { refuseTestValue, type TestValue, testValueOf } from '../quota/test-value';
import {
  type AiRequest,
  type ImageRequest,
  makeAiRequest,
  type StockRequest,
} from '../requests/image-request';
import { loadImageCode } from '../services/load-image-code';
import type { Services } from '../services/services';
import { type SearchCode, serveStock } from '../stock/serve-stock';
import { claimForDay, endClaim } from './claim-for-day';

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
  if (testValue) return serveTestValue(services, testValue, request, caller, context);
  return serveWithOnmiss(services, request, caller, context);
}

/** Answers a test value as its real case, or with an ordinary image, for nothing. */
async function serveTestValue(
  services: Services,
  value: TestValue,
  request: ImageRequest,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  const payment = freePayment('test-value', await readStatus(services, context));
  const refusal = await refuseTestValue(services, value, context);
  if (refusal) return { outcome: 'refused', refusal, payment };
  if (value === 'gone') {
    const imageCode = await loadImageCode(services);
    const size = { ...request, format: context.format };
    const { image } = await imageCode.renderGoneCard(imageCode.services, { source: request.source }, size);
    return { outcome: 'served', image, cache: 'HIT', payment };
  }
  if (value === 'slow') await services.clock.sleep(testSlowMs);
  const ordinary = { ...request, query: 'mountain lake' };
  const answer = await serveWithOnmiss(services, ordinary, caller, { ...context, settledPayment: payment });
  if (answer.outcome === 'refused' || value !== 'loose') return answer;
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
    return request.source === 'ai' || request.filters.onmiss === 'ai'
      ? { outcome: 'refused', refusal: { code: 'authentication_required' } }
      : serveStockImage(services, request, context);
  const answer = await serveForKey(services, request, caller, context);
  if (request.source === 'ai') return answer;
  return serveAiIfMissed(answer, request, context, (aiRequest, nextContext) =>
    serveForKey(services, aiRequest, caller, nextContext),
  );
}

/** Serves an image of the request's source, which a signer or site key pays for once a day. */
async function serveForKey(
  services: Services,
  request: ImageRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<Answer> {
  const servingContext = await claimForDay(services, request, caller, context);
  if ('refusal' in servingContext) return servingContext;
  try {
    const answer =
      request.source === 'ai'
        ? await serveAiImage(services, request, caller, servingContext)
        : await serveStockOrPick(services, request, caller, servingContext);
    await endClaim(services, servingContext, answer.payment, answer.outcome === 'served');
    return answer;
  } catch (error) {
    await endClaim(services, servingContext, paymentOfError(error));
    throw error;
  }
}

/** Serves a stock image. A pick that no provider has may be that of an AI image. */
async function serveStockOrPick(
  services: Services,
  request: StockRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<Answer> {
  const answer = await serveStockImage(services, request, context);
  if (request.pick === undefined || !isMissed(answer)) return answer;
  const picked = await serveAiImage(services, request, caller, contextAfterMiss(answer, context));
  return keepPayment(answer, picked);
}

/** Serves the stock image of a request. */
export function serveStockImage(
  services: Services,
  request: StockRequest,
  context: RequestContext,
): Promise<Answer> {
  const load = () => loadImageCode(services);
  const searchCode: SearchCode = {
    findUnknown: (...unknown) => load().then((code) => code.findImage(code.services, ...unknown)),
    reportUse: (...use) => load().then((code) => code.reportUse(code.services, ...use)),
  };
  return serveStock(services, searchCode, request, context);
}

/** Serves the AI image of a request's words or pick. */
export async function serveAiImage(
  services: Services,
  request: ImageRequest,
  caller: KeyedCaller,
  context: RequestContext,
): Promise<Answer> {
  const imageCode = await loadImageCode(services);
  return imageCode.serveAiByWordsOrPick(imageCode.services, request, caller, context);
}

/** Replaces a `no_image_found` by an AI image where `onmiss=ai` asks for it. It is charged by itself. */
export async function serveAiIfMissed(
  answer: Answer,
  request: StockRequest,
  context: RequestContext,
  serveAi: (request: AiRequest, context: RequestContext) => Promise<Answer>,
): Promise<Answer> {
  if (!isMissed(answer) || request.pick !== undefined || request.filters.onmiss !== 'ai') return answer;
  return keepPayment(answer, await serveAi(makeAiRequest(request), contextAfterMiss(answer, context)));
}

/** Adds the payment of a missed answer to a refusal in its place that has none. */
function keepPayment({ payment }: Answer, instead: Answer): Answer {
  return instead.outcome === 'refused' && payment ? { payment, ...instead } : instead;
}
