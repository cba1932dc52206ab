/** Answers the test values of `query`, such as `test:quota`, as their real cases, without a charge. */

import { hourWindow, monthWindow } from '../base/window';
import { testRequestsPerHour } from '../contract/plans';
import { testSlowMs, testValues } from '../contract/test-values';
import type { Caller } from '../credentials/caller';
import type { Answer } from '../images/answer';
import { generationInProgress, type Refusal } from '../problems/problem';
import { quotaLimitOf, readStatus } from '../quota/charge';
import { isUnlimited, refusalOf } from '../quota/limit';
import { freePayment } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import type { ImageRequest } from '../requests/image-request';
import type { Services } from '../services';

type TestValue = (typeof testValues)[number];

/** The test value of a request with a test key, or for a slot that the sandbox serves. */
export function testValueOf(
  { config }: Pick<Services, 'config'>,
  { query, provider }: ImageRequest,
  { kind }: Caller,
): TestValue | undefined {
  const mayTest = kind === 'test' || (provider !== 'ai' && config.SLOT_BINDINGS[provider] === 'sandbox');
  return mayTest ? testValues.find((value) => query === `test:${value}`) : undefined;
}

/** The answer to a test value, or the ordinary request that is served in its place for nothing. */
type TestAnswer =
  | { readonly answer: Answer }
  | { readonly request: ImageRequest; readonly context: RequestContext };

/** Answers a test value. @throws when a card is not rendered, or the quota for the headers is not read */
export async function serveTestValue(
  services: Services,
  value: TestValue,
  request: ImageRequest,
  context: RequestContext,
): Promise<TestAnswer> {
  const { config, clock } = services;
  const payment = freePayment('test-value', await readStatus(services, context));
  const quota = quotaLimitOf(context.requestLimits);
  const nowMs = clock.nowMs();
  // A caller without a monthly or an hourly limit is shown that of the smallest plan, or of a test key.
  const monthly = { max: config.PLANS.free.monthlyRequests, window: monthWindow(nowMs) };
  const hasHour = quota.window.kind === 'hour' && !isUnlimited(quota);
  const hourly = !hasHour && { max: testRequestsPerHour, window: hourWindow(nowMs) };
  const refusals: Readonly<Partial<Record<TestValue, Refusal>>> = {
    none: { code: 'no_image_found' },
    quota: refusalOf({ ...quota, ...monthly }),
    rate: refusalOf({ ...quota, ...hourly }),
    generating: generationInProgress,
    refused: { code: 'content_refused' },
    error: { code: 'internal_error' },
  };
  const refusal = refusals[value];
  if (refusal) return { answer: { outcome: 'refused', refusal, payment } };
  if (value === 'gone') {
    const { renderGoneCard, createStockServices } = await import('../uncached');
    const stock = await createStockServices(services);
    const { format, deadlineMs } = context;
    const { provider: source, widthPx, heightPx } = request;
    const image = await renderGoneCard(stock, { source }, { widthPx, heightPx, format }, deadlineMs);
    return { answer: { outcome: 'served', image, cache: 'HIT', payment } };
  }
  if (value === 'slow') await clock.sleep(testSlowMs);
  return {
    request: { ...request, query: 'mountain lake' },
    context: { ...context, pays: { kind: 'settled', payment } },
  };
}
