/** Answers a valid request of a known caller: with a stock image, an AI image, or an AI image where no stock image fits. */

import type { Caller, KeyedCaller } from '../credentials/caller';
import type { ServeAi } from '../generation/serve-ai';
import type { ServePicked } from '../generation/serve-permalink';
import type { Answer } from '../images/answer';
import type { RequestContext } from '../quota/request-context';
import type { ImageRequest } from '../requests/image-request';
import type { ServeStock } from '../stock/serve-stock';

export type ServeImage = (request: ImageRequest, caller: Caller, context: RequestContext) => Promise<Answer>;

/** `undefined` for a query that is no test value. @throws as `ServeImage` does, and when a card is not rendered */
export type AnswerTest = (...request: Parameters<ServeImage>) => Promise<Answer | undefined>;

/**
 * The answer to a request whose query may be a test value; `undefined` where it is none. With a live key, `test:…` is a
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
  return async (request, caller, context) => {
    const tested = loadTest && (await answerIfTest(loadTest, request, caller, context));
    if (tested) return tested;
    const mayGenerate = request.provider === 'ai' || request.filters.onmiss === 'ai';
    if (mayGenerate && caller.kind === 'anonymous')
      return { outcome: 'refused', refusal: { code: 'authentication_required' } };
    if (request.provider === 'ai')
      return (request.pick === undefined ? serveAi : servePicked)(request, caller as KeyedCaller, context);
    const account = caller.kind === 'anonymous' ? undefined : caller.account;
    const answer = await serveStock(request, context, account);
    if (answer.outcome === 'served') return answer;
    const { afterMiss } = await import('./after-miss');
    return afterMiss(answer, request, caller, context, serveAi, servePicked);
  };
}
