/** Answers a valid request of a known caller: with a stock image, an AI image, or an AI image where no stock image fits. */

import type { Caller, KeyedCaller } from '../credentials/caller';
import type { ServeAi } from '../generation/serve-ai';
import type { ServePicked } from '../generation/serve-permalink';
import type { Answer } from '../images/answer';
import type { RequestContext } from '../quota/request-context';
import type { AiRequest, ImageRequest } from '../requests/image-request';
import type { ServeStock } from '../stock/serve-stock';
import { orGenerated, orPicked } from './after-miss';

/** Serves an image in a context, which may say that it is paid already. */
export type ServePaid = (context: RequestContext) => Promise<Answer>;
/** Decides what pays for the image of a request, and has it served. */
export type PayOnce = (request: ImageRequest, context: RequestContext, serve: ServePaid) => Promise<Answer>;

/** @param payOnce absent where each request is charged */
export type ServeImage = (
  request: ImageRequest,
  caller: Caller,
  context: RequestContext,
  payOnce?: PayOnce,
) => Promise<Answer>;

const chargeEach: PayOnce = (_, context, serve) => serve(context);

/** `undefined` for a query that is no test value. @throws as `ServeImage` does, and when a card is not rendered */
export type AnswerTest = (...request: Parameters<ServeImage>) => Promise<Answer | undefined>;

/**
 * The answer to a request whose query may be a test value; `undefined` for any other query. With a live key, `test:…` is a
 * query like any other.
 */
export function answerIfTest(
  load: () => Promise<AnswerTest>,
  ...request: Parameters<ServeImage>
): Promise<Answer | undefined> | undefined {
  const [{ query }, { kind }] = request;
  return query.startsWith('test:') && kind !== 'live'
    ? load().then((answer) => answer(...request))
    : undefined;
}

/** @throws when a table or a function fails; what was charged has been given back by then. */
export function createServeImage(
  serveStock: ServeStock,
  serveAi: ServeAi,
  servePicked: ServePicked,
  loadTest?: () => Promise<AnswerTest>,
): ServeImage {
  return async (request, caller, context, payOnce = chargeEach) => {
    const tested = loadTest && (await answerIfTest(loadTest, request, caller, context));
    if (tested) return tested;
    const mayGenerate = request.provider === 'ai' || request.filters.onmiss === 'ai';
    if (mayGenerate && caller.kind === 'anonymous')
      return { outcome: 'refused', refusal: { code: 'authentication_required' } };
    const generate = (ai: AiRequest, given: RequestContext) =>
      payOnce(ai, given, (paid) =>
        (ai.pick === undefined ? serveAi : servePicked)(ai, caller as KeyedCaller, paid),
      );
    if (request.provider === 'ai') return generate(request, context);
    const answer = await payOnce(request, context, async (paid) => {
      const answer = await serveStock(request, paid);
      if (answer.outcome === 'served' || request.pick === undefined) return answer;
      return orPicked(answer, request, caller, paid, servePicked);
    });
    if (answer.outcome === 'served') return answer;
    return orGenerated(answer, request, context, generate);
  };
}
