/** Serves the image of a request. If there is none, the request may get another image in its place. */

import { testSlowMs } from '../contract/test-values';
import { makeFreePayment, mayStayCharged } from '../quota/payment';
import { takeWork } from '../quota/take';
import { type AiRequest, type ImageRequest, makeAiRequest, mayBeAi } from '../requests/image-request';
import type { Services } from '../services/services';
import type { Answer } from './answer';
import { chargeAndServe, readQuotaStatus } from './charge-and-serve';
import { loadImageCode } from './load-image-code';
import type { CallerRequest } from './request-context';
import { makeTestRefusal, readTestValue, type TestValue } from './test-value';

/**
 * Serves a request. A caller without a key gets no AI image except by its permalink. A test value costs nothing.
 * @param onmissRequest the AI image that `onmiss=ai` asks for. By default it has the words of the request.
 * @throws when a table or a function fails. What was charged is refunded by then.
 */
export async function serveImage(
  services: Services,
  callerRequest: CallerRequest,
  onmissRequest?: AiRequest,
): Promise<Answer> {
  const { request, caller } = callerRequest;
  if ('imageId' in request) return chargeAndServe(services, callerRequest);
  if (mayBeAi(request) && caller.kind === 'anonymous')
    return { outcome: 'refused', refusal: { code: 'authentication_required' } };
  const testValue = readTestValue(services, { request, caller });
  if (testValue) return serveTestValue(services, testValue, { ...callerRequest, request });
  const answer = await chargeAndServe(services, callerRequest);
  const replacement = chooseReplacement(request, answer, onmissRequest);
  if (!replacement) return answer;
  // The second request is charged for itself, unless the charge of the first could not be given back.
  const { payment } = answer;
  const priorPayment = payment && mayStayCharged(payment) ? payment : undefined;
  const replacementRequest = { ...callerRequest, request: replacement };
  const nextAnswer = await chargeAndServe(services, replacementRequest, priorPayment);
  return nextAnswer.outcome === 'refused' && payment ? { payment, ...nextAnswer } : nextAnswer;
}

/** Chooses the AI image that `onmiss=ai` asks for, or the account's own image if an alternative is gone. */
function chooseReplacement(
  request: ImageRequest,
  answer: Answer,
  onmissRequest?: AiRequest,
): AiRequest | undefined {
  if (answer.outcome === 'served' || request.pick !== undefined) return undefined;
  if (request.source === 'ai') {
    const { alt, ...ownRequest } = request;
    return alt !== undefined && answer.refusal.code === 'not_found' ? ownRequest : undefined;
  }
  // In a batch, other entries may show all images of the words.
  const isMissed = answer.refusal.code === 'no_image_found' || answer.refusal.code === 'duplicate_image';
  return isMissed && request.filters.onmiss === 'ai' ? (onmissRequest ?? makeAiRequest(request)) : undefined;
}

/** Answers a test value free of charge: with the refusal that it names, or with an image. */
async function serveTestValue(
  services: Services,
  testValue: TestValue,
  callerRequest: CallerRequest<ImageRequest>,
): Promise<Answer> {
  const { request, context } = callerRequest;
  const payment = makeFreePayment('test-value', await readQuotaStatus(services, context));
  // These two are free, but a card has to be rendered, and a pause holds an execution.
  const takesWork = testValue === 'gone' || testValue === 'slow';
  const workRefusal = takesWork ? await takeWork(services, context) : undefined;
  const refusal = workRefusal ?? makeTestRefusal(services, testValue, context);
  if (refusal) return { outcome: 'refused', refusal, payment };
  if (testValue === 'gone') {
    const { createImageServices, renderGoneCard } = await loadImageCode();
    const { source, widthPx, heightPx } = request;
    const goneImage = { source, widthPx, heightPx, format: context.format };
    const { image } = await renderGoneCard(await createImageServices(services), goneImage);
    return { outcome: 'served', image, cache: 'HIT', payment };
  }
  if (testValue === 'slow') await services.clock.sleep(testSlowMs);
  const lakeRequest = { ...callerRequest, request: { ...request, query: 'mountain lake' } };
  const answer = await chargeAndServe(services, lakeRequest, payment);
  // AI images have no fit.
  const hasFit = answer.outcome === 'served' && answer.image.source !== 'ai';
  if (!hasFit || testValue !== 'loose') return answer;
  return { ...answer, image: { ...answer.image, fit: 'loose' } };
}
