/** Answers the test values of `query` as their real cases are answered, without charging anything. */

import type { Clock } from '../base/clock';
import { monthWindow } from '../base/window';
import type { Plans } from '../contract/plans';
import type { StockSlot } from '../contract/providers';
import { testSlowMs, testValues } from '../contract/test-values';
import type { Answer } from '../images/answer';
import type { ServedImage } from '../images/image';
import { generationInProgress, type Refusal } from '../problems/problem';
import { type Ledger, refusalOf } from '../quota/ledger';
import type { RequestContext } from '../quota/request-context';
import type { ImageRequest } from '../requests/image-request';
import type { AnswerTest, ServeImage } from './serve-image';

/** What the real cases are answered with. */
export interface TestAnswerDeps {
  readonly serve: ServeImage;
  readonly ledger: Pick<Ledger, 'status'>;
  /** The card for an image that is gone, of the size of the request. */
  readonly goneCard: (request: ImageRequest, context: RequestContext) => Promise<ServedImage>;
  /** Whether the sandbox serves a slot, where test values need no key. */
  readonly isSandbox: (slot: StockSlot) => boolean;
  readonly plans: Plans;
  readonly clock: Clock;
}

/** Words that any provider has an image for. */
const ordinaryQuery = 'mountain lake';

/** Answers test keys, and slots that the sandbox serves. */
export function createAnswerTest(deps: TestAnswerDeps): AnswerTest {
  const { serve, ledger, goneCard, isSandbox, plans, clock } = deps;
  return async (request, caller, context) => {
    const { query, provider } = request;
    const value = testValues.find((each) => query === `test:${each}`);
    const mayTest = caller.kind === 'test' || (provider !== 'ai' && isSandbox(provider));
    if (!value || !mayTest) return undefined;
    const payment = {
      state: 'free',
      because: 'test-value',
      rateLimit: await ledger.status(context),
    } as const;
    const refused = (refusal: Refusal): Answer => ({ outcome: 'refused', refusal, payment });
    const image = () => serve({ ...request, query: ordinaryQuery }, caller, { ...context, payment });
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
        const monthly = { limit: plans.free.monthlyRequests, window: monthWindow(clock.nowMs()) };
        return refused(refusalOf({ ...context.quota, ...monthly }));
      }
      case 'rate':
        return refused(refusalOf(context.quota));
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
        return { outcome: 'served', image: await goneCard(request, context), cache: 'HIT', payment };
    }
  };
}
