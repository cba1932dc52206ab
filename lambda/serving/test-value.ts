/** Reads the test values of `query`, such as `test:quota`, and makes the refusals that they show. */

import type { Clock } from '../base/clock';
import { computeHourWindow, computeMonthWindow } from '../base/window';
import { type Plans, testRequestsPerHour } from '../contract/plans';
import type { SlotBindings } from '../contract/providers';
import { testValues } from '../contract/test-values';
import { generationInProgress, type Refusal } from '../problems/problem';
import { getQuotaLimit } from '../quota/caller-limits';
import { isUnlimited, refuseByLimit } from '../quota/limit';
import type { ImageRequest } from '../requests/image-request';
import type { CallerRequest, RequestContext } from './request-context';

export type TestValue = (typeof testValues)[number];

/** Reads the test value of a request. It needs a test key, or a slot that the sandbox serves. */
export function readTestValue(
  { config }: { readonly config: { readonly SLOT_BINDINGS: SlotBindings } },
  { request: { query, source }, caller }: Pick<CallerRequest<ImageRequest>, 'request' | 'caller'>,
): TestValue | undefined {
  const mayTest = caller.kind === 'test' || (source !== 'ai' && config.SLOT_BINDINGS[source] === 'sandbox');
  return mayTest ? testValues.find((value) => query === `test:${value}`) : undefined;
}

/** Makes the refusal that a test value shows. Returns `undefined` for a test value with an image. */
export function makeTestRefusal(
  { clock, config }: { readonly clock: Clock; readonly config: { readonly PLANS: Plans } },
  value: TestValue,
  { requestLimits }: RequestContext,
): Refusal | undefined {
  const nowMs = clock.nowMs();
  const quota = getQuotaLimit(requestLimits);
  // A caller without a monthly limit is shown the limit of the smallest plan.
  const monthly = { max: config.PLANS.free.monthlyRequests, window: computeMonthWindow(nowMs) };
  // A caller without an hourly limit is shown the limit of a test key.
  const hasHour = quota.window.kind === 'hour' && !isUnlimited(quota);
  const hourly = hasHour ? quota : { ...quota, max: testRequestsPerHour, window: computeHourWindow(nowMs) };
  const testRefusals: Readonly<Partial<Record<TestValue, Refusal>>> = {
    none: { code: 'no_image_found' },
    quota: refuseByLimit({ ...quota, ...monthly }),
    rate: refuseByLimit(hourly),
    generating: generationInProgress,
    refused: { code: 'content_refused' },
    error: { code: 'internal_error' },
  };
  const refusal = testRefusals[value];
  return refusal && { ...refusal, isTest: true };
}
