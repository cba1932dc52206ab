/** Answers the test values of `query` as their real cases are answered, without charging anything. */

import { hourWindow, monthWindow } from '../base/window';
import { testRequestsPerHour } from '../contract/plans';
import { testSlowMs, testValues } from '../contract/test-values';
import type { Caller } from '../credentials/caller';
import type { Answer } from '../images/answer';
import { generationInProgress, type Refusal } from '../problems/problem';
import { accountLimit, statusOf } from '../quota/charge';
import { isUnlimited, refusalOf } from '../quota/limit';
import { freePayment } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import type { ImageRequest } from '../requests/image-request';
import type { Services } from '../services';

/** The test value that a request is, if it is one: of a test key, or at a slot that the sandbox serves. */
export function testValueOf(
  { config }: Pick<Services, 'config'>,
  { query, provider }: ImageRequest,
  { kind }: Caller,
): (typeof testValues)[number] | undefined {
  const mayTest = kind === 'test' || (provider !== 'ai' && config.SLOT_BINDINGS[provider] === 'sandbox');
  return mayTest ? testValues.find((each) => query === `test:${each}`) : undefined;
}

/**
 * Answers a test value; `undefined` for a query like any other.
 * @param serveOrdinary serves an image that any provider has in a context, for values that give one
 * @throws as `serveOrdinary`, and when a card is not rendered
 */
export async function answerTest(
  services: Services,
  request: ImageRequest,
  caller: Caller,
  context: RequestContext,
  serveOrdinary: (request: ImageRequest, free: RequestContext) => Promise<Answer>,
): Promise<Answer | undefined> {
  const { config, clock } = services;
  const value = testValueOf(services, request, caller);
  if (!value) return undefined;
  const payment = freePayment('test-value', await statusOf(services, context));
  const quota = accountLimit(context.requestLimits);
  const nowMs = clock.nowMs();
  // Those of the smallest plan and of test keys stand for a month or an hour of which the caller has no limit.
  const monthly = { max: config.PLANS.free.monthlyRequests, window: monthWindow(nowMs) };
  const hasHour = quota.window.kind === 'hour' && !isUnlimited(quota);
  const hourly = !hasHour && { max: testRequestsPerHour, window: hourWindow(nowMs) };
  const refusals: Readonly<Partial<Record<typeof value, Refusal>>> = {
    none: { code: 'no_image_found' },
    quota: refusalOf({ ...quota, ...monthly }),
    rate: refusalOf({ ...quota, ...hourly }),
    generating: generationInProgress,
    refused: { code: 'content_refused' },
    error: { code: 'internal_error' },
  };
  const refusal = refusals[value];
  if (refusal) return { outcome: 'refused', refusal, payment };
  if (value === 'gone') {
    const { goneCardFor } = await import('../stock/new-images');
    return { outcome: 'served', image: await goneCardFor(services, request, context), cache: 'HIT', payment };
  }
  if (value === 'slow') await clock.sleep(testSlowMs);
  const answer = await serveOrdinary({ ...request, query: 'mountain lake' }, { ...context, payment });
  if (answer.outcome === 'refused' || value === 'slow') return answer;
  return { ...answer, image: { ...answer.image, fit: 'loose' } };
}
