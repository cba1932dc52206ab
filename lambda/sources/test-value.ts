/** Answers the test values of `query`, such as `test:quota`, as their real cases, without a charge. */

import { hourWindow, monthWindow } from '../base/window';
import { testRequestsPerHour } from '../contract/plans';
import { testSlowMs, testValues } from '../contract/test-values';
import type { Caller } from '../credentials/caller';
import { generationInProgress, type Refusal } from '../problems/problem';
import type { Answer } from '../quota/answer';
import { quotaLimitOf } from '../quota/charge';
import { isUnlimited, type Limit, refusalOf } from '../quota/limit';
import type { Payment } from '../quota/payment';
import type { RequestContext } from '../quota/request-context';
import type { ImageRequest } from '../requests/image-request';
import type { Services } from '../services';

export type TestValue = (typeof testValues)[number];

/** The test value of a request with a test key, or for a slot that the sandbox serves. */
export function testValueOf(
  { config }: Pick<Services, 'config'>,
  { query, provider }: ImageRequest,
  { kind }: Caller,
): TestValue | undefined {
  const mayTest = kind === 'test' || (provider !== 'ai' && config.SLOT_BINDINGS[provider] === 'sandbox');
  return mayTest ? testValues.find((value) => query === `test:${value}`) : undefined;
}

/**
 * Answers a test value: with its refusal or the card, or after a pause.
 * @returns `undefined` for a value that an ordinary image answers @throws when the card is not rendered
 */
export async function answerTestValue(
  services: Services,
  value: TestValue,
  request: ImageRequest,
  { requestLimits, format, deadlineMs }: RequestContext,
  payment: Payment,
): Promise<Answer | undefined> {
  const refusal = testRefusals(services, quotaLimitOf(requestLimits))[value];
  if (refusal) return { outcome: 'refused', refusal, payment };
  if (value === 'gone') {
    const { renderGoneCard, createStockServices } = await import('../unknown-images');
    const stock = await createStockServices(services);
    const { provider: source, widthPx, heightPx } = request;
    const image = await renderGoneCard(stock, { source }, { widthPx, heightPx, format }, deadlineMs);
    return { outcome: 'served', image, cache: 'HIT', payment };
  }
  if (value === 'slow') await services.clock.sleep(testSlowMs);
  return undefined;
}

/** The refusals that test values show. @param quota the limit of the caller's plan or address */
function testRefusals(
  { config, clock }: Pick<Services, 'config' | 'clock'>,
  quota: Limit,
): Readonly<Partial<Record<TestValue, Refusal>>> {
  const nowMs = clock.nowMs();
  // A caller without a monthly or an hourly limit is shown that of the smallest plan, or of a test key.
  const monthly = { max: config.PLANS.free.monthlyRequests, window: monthWindow(nowMs) };
  const hasHour = quota.window.kind === 'hour' && !isUnlimited(quota);
  const hourly = !hasHour && { max: testRequestsPerHour, window: hourWindow(nowMs) };
  return {
    none: { code: 'no_image_found' },
    quota: refusalOf({ ...quota, ...monthly }),
    rate: refusalOf({ ...quota, ...hourly }),
    generating: generationInProgress,
    refused: { code: 'content_refused' },
    error: { code: 'internal_error' },
  };
}
