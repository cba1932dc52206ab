/** Answers the test values of `query` as their real cases are answered, without charging anything. */

import { monthWindow } from '../base/window';
import { testSlowMs, testValues } from '../contract/test-values';
import type { Caller } from '../credentials/caller';
import type { Answer } from '../images/answer';
import { generationInProgress, type Refusal } from '../problems/problem';
import { accountLimit, statusOf } from '../quota/charge';
import { refusalOf } from '../quota/limit';
import { freePayment } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import type { ImageRequest } from '../requests/image-request';
import type { Services } from '../services';

/** Words that any provider has an image for. */
export const ordinaryQuery = 'mountain lake';

/** Whether a query is one for which test keys get the answer of a real case. */
export const isTestValue = (query: string): boolean => testValues.some((each) => query === `test:${each}`);

/**
 * Answers test keys, and slots that the sandbox serves; `undefined` for a query that is no test value. With a live key,
 * `test:…` is a query like any other.
 * @param serveOrdinary serves the image of `ordinaryQuery` in a context, for values that give one
 * @throws as `serveOrdinary`, and when a card is not rendered
 */
export async function answerTest(
  services: Services,
  request: ImageRequest,
  { kind }: Caller,
  context: RequestContext,
  serveOrdinary: (free: RequestContext) => Promise<Answer>,
): Promise<Answer | undefined> {
  const { config, clock } = services;
  const { query, provider } = request;
  const value = testValues.find((each) => query === `test:${each}`);
  const mayTest = kind === 'test' || (provider !== 'ai' && config.SLOT_BINDINGS[provider] === 'sandbox');
  if (!value || kind === 'live' || !mayTest) return undefined;
  const payment = freePayment('test-value', await statusOf(services, context));
  const quota = accountLimit(context.requestLimits);
  const refused = (refusal: Refusal): Answer => ({ outcome: 'refused', refusal, payment });
  const card = async () => (await import('../stock/new-images')).goneCardFor(services, request, context);
  const image = () => serveOrdinary({ ...context, payment });
  switch (value) {
    case 'none':
      return refused({ code: 'no_image_found' });
    case 'loose': {
      const answer = await image();
      if (answer.outcome === 'refused') return answer;
      return { ...answer, image: { ...answer.image, fit: 'loose' } };
    }
    case 'quota': {
      // A test key has no monthly quota; that of the smallest plan stands for it.
      const monthly = { max: config.PLANS.free.monthlyRequests, window: monthWindow(clock.nowMs()) };
      return refused(refusalOf({ ...quota, ...monthly }));
    }
    case 'rate':
      return refused(refusalOf(quota));
    case 'slow':
      await clock.sleep(testSlowMs);
      return image();
    case 'generating':
      return refused(generationInProgress);
    case 'refused':
      return refused({ code: 'content_refused' });
    case 'error':
      return refused({ code: 'internal_error' });
    case 'gone':
      return { outcome: 'served', image: await card(), cache: 'HIT', payment };
  }
}
