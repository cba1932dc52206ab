/** Answers a valid request of a known caller: with a stock image, an AI image, or an AI image where no stock image fits. */

import type { Caller, KeyedCaller } from '../credentials/caller';
import type { Answer } from '../images/answer';
import type { RequestContext } from '../quota/request-context';
import type { AiRequest, ImageRequest } from '../requests/image-request';
import type { ImageServices } from '../services';
import { orGenerated, orPicked } from './after-miss';
import type { PayOnce } from './serve-once';
import { answerTest, ordinaryQuery } from './test-values';

const chargeEach: PayOnce = (_, context, serve) => serve(context);

/**
 * Charges each request, and the image of a signer or site key once a day.
 * @throws when a table or a function fails; what was charged has been given back by then.
 */
export async function serveImage(
  services: ImageServices,
  request: ImageRequest,
  caller: Caller,
  context: RequestContext,
): Promise<Answer> {
  const tested = await answerTest(services, request, caller, context, (free) =>
    serveImage(services, { ...request, query: ordinaryQuery }, caller, free),
  );
  if (tested) return tested;
  const { serveStock, serveAi, servePicked, payOnce } = services.parts;
  const mayGenerate = request.provider === 'ai' || request.filters.onmiss === 'ai';
  if (mayGenerate && caller.kind === 'anonymous')
    return { outcome: 'refused', refusal: { code: 'authentication_required' } };
  const pay = caller.kind !== 'anonymous' && caller.publishedAs ? payOnce(caller) : chargeEach;
  const generate = (ai: AiRequest, given: RequestContext) =>
    pay(ai, given, (paid) =>
      (ai.pick === undefined ? serveAi : servePicked)(ai, caller as KeyedCaller, paid),
    );
  if (request.provider === 'ai') return generate(request, context);
  const answer = await pay(request, context, async (paid) => {
    const answer = await serveStock(request, paid);
    if (answer.outcome === 'served' || request.pick === undefined) return answer;
    return orPicked(answer, request, caller, paid, servePicked);
  });
  if (answer.outcome === 'served') return answer;
  return orGenerated(answer, request, context, generate);
}
