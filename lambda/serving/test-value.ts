/** Recognises the test values of `query`, such as `test:quota`, and lists the refusals that they show. */

import { hourWindow, monthWindow } from '../base/window';
import { type Plans, testRequestsPerHour } from '../contract/plans';
import type { SlotBindings } from '../contract/providers';
import { testValues } from '../contract/test-values';
import type { Caller } from '../credentials/caller';
import { generationInProgress, type Refusal } from '../problems/problem';
import { pickQuotaLimit } from '../quota/caller-limits';
import { isUnlimited, refuseByLimit } from '../quota/limit';
import { type LimitServices, refusalUnlessTaken } from '../quota/take';
import type { ImageRequest } from '../requests/image-request';
import type { RequestContext } from './request-context';

export type TestValue = (typeof testValues)[number];

/** Reads the test value of a request with a test key, or for a slot that the sandbox serves. */
export function readTestValue(
  { config }: { readonly config: { readonly SLOT_BINDINGS: SlotBindings } },
  { query, source }: ImageRequest,
  { kind }: Caller,
): TestValue | undefined {
  const mayTest = kind === 'test' || (source !== 'ai' && config.SLOT_BINDINGS[source] === 'sandbox');
  return mayTest ? testValues.find((value) => query === `test:${value}`) : undefined;
}

/**
 * Refuses a test value that shows a refusal, or that costs execution time when the caller has no work left.
 * @returns `undefined` for a test value that is served an image
 */
export async function refuseTestValue(
  services: LimitServices & { readonly config: { readonly PLANS: Plans } },
  value: TestValue,
  { requestLimits, workLimits, requestId }: RequestContext,
): Promise<Refusal | undefined> {
  // A card is rendered, and a pause holds an execution: the caller pays nothing for either.
  if (value === 'gone' || value === 'slow') return refusalUnlessTaken(services, workLimits, requestId);
  const nowMs = services.clock.nowMs();
  const quota = pickQuotaLimit(requestLimits);
  // A caller without a monthly or an hourly limit is shown that of the smallest plan, or of a test key.
  const monthly = { max: services.config.PLANS.free.monthlyRequests, window: monthWindow(nowMs) };
  const hasHour = quota.window.kind === 'hour' && !isUnlimited(quota);
  const hourly = !hasHour && { max: testRequestsPerHour, window: hourWindow(nowMs) };
  const testRefusals: Readonly<Partial<Record<TestValue, Refusal>>> = {
    none: { code: 'no_image_found' },
    quota: refuseByLimit({ ...quota, ...monthly }),
    rate: refuseByLimit({ ...quota, ...hourly }),
    generating: generationInProgress,
    refused: { code: 'content_refused' },
    error: { code: 'internal_error' },
  };
  return testRefusals[value];
}
