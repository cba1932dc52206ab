/** Lists the limits of a caller at a moment. Budgets of providers are in stock/provider-budget.ts. */

import { dropUndefined } from '../base/drop-undefined';
import {
  computeDayWindow,
  computeHalfMinuteWindow,
  computeHourWindow,
  computeMinuteWindow,
  computeMonthWindow,
} from '../base/window';
import {
  anonymousRequestsPerHour,
  computeWaitingPlaces,
  generationBounds,
  generationShare,
  type Plans,
  selfServicePerMinute,
  testRequestsPerHour,
  unprovenShareOfSite,
  workPerHour,
} from '../contract/plans';
import type { Caller, KeyedCaller } from '../credentials/caller';
import type { Limit } from './limit';

/** Makes the owner of an account's units. Live keys and test keys are counted apart. */
export function makeLimitOwner({ kind, account }: Pick<KeyedCaller, 'kind' | 'account'>): string {
  return `${kind}#${account}`;
}

/** The limits that an image is charged to. The last one is the quota. */
export type RequestLimits = readonly [...Limit[], Limit];

/** Lists the limits of a request: those of its credential, then that of the plan or of the address. */
export function listRequestLimits(
  caller: Caller,
  ipHash: string,
  plans: Plans,
  nowMs: number,
): RequestLimits {
  const hour = computeHourWindow(nowMs);
  const month = computeMonthWindow(nowMs);
  const requests = { kind: 'requests', unitName: 'requests' } as const;
  if (caller.kind === 'anonymous')
    return [{ ...requests, owner: `ip#${ipHash}`, max: anonymousRequestsPerHour, window: hour }];
  const { keyId, maxPerMonth, isUnproven, plan, accountName } = caller;
  const makeKeyLimit = (owner: string, max: number, unitName: string): Limit => {
    return { ...requests, owner: `${owner}#${keyId}`, max, window: month, unitName };
  };
  const unprovenMax = Math.max(1, Math.floor((maxPerMonth ?? 0) * unprovenShareOfSite));
  const caps = [
    ...(isUnproven ? [makeKeyLimit('unproven', unprovenMax, 'requests of this key that name no page')] : []),
    makeKeyLimit('key', maxPerMonth ?? 0, 'requests of this key'),
  ];
  const max = caller.kind === 'test' ? testRequestsPerHour : plans[plan].monthlyRequests;
  const window = caller.kind === 'test' ? hour : month;
  const account = dropUndefined({ ...requests, owner: makeLimitOwner(caller), max, window, accountName });
  return [...(maxPerMonth === undefined ? [] : caps), account];
}

/** Gets the limit that the rate limit headers state: that of the account's plan, or of the address. */
export function getQuotaLimit(requestLimits: RequestLimits): Limit {
  return requestLimits[requestLimits.length - 1] as Limit;
}

/**
 * Lists the limits of a caller's work. Each published credential has its own: visitors of a page must not use
 * up the work of the account's keys.
 */
export function listWorkLimits(caller: Caller, ipHash: string, nowMs: number): readonly Limit[] {
  const window = computeHourWindow(nowMs);
  const work = { kind: 'work', window, unitName: 'searches, new renditions and free deliveries' } as const;
  const sharedUnitName = `${work.unitName} of all callers without a key`;
  if (caller.kind === 'anonymous')
    return [
      { ...work, owner: `ip#${ipHash}`, max: workPerHour.anonymous },
      { ...work, owner: 'anonymous', max: workPerHour.allAnonymous, unitName: sharedUnitName },
    ];
  const { keyId, publishedAs, plan, kind } = caller;
  const max = kind === 'test' ? workPerHour.test : workPerHour[plan];
  const accountWork = { ...work, owner: publishedAs ? `key#${keyId}` : makeLimitOwner(caller), max };
  if (publishedAs !== 'site') return [accountWork];
  return [{ ...work, owner: `visitor#${keyId}#${ipHash}`, max: workPerHour.visitor }, accountWork];
}

/** Makes the limit of further renditions of an image that is paid today. @param image the key of the mark */
export function makePaidImageLimit({ keyId }: KeyedCaller, image: string, nowMs: number): Limit {
  const owner = `paid#${keyId}#${image}`;
  const unitName = 'new renditions of this image';
  return { kind: 'work', owner, max: workPerHour.paidImage, window: computeHourWindow(nowMs), unitName };
}

/** Makes the limit of an account's requests about itself: reports of usage, and all about keys. */
export function makeSelfServiceLimit(caller: KeyedCaller, nowMs: number): Limit {
  const owner = `reports#${makeLimitOwner(caller)}`;
  const window = computeMinuteWindow(nowMs);
  const unitName = 'requests for usage and keys';
  return { kind: 'requests', owner, max: selfServicePerMinute, window, unitName };
}

/** Makes the limit of an account's AI images in a month. Test keys have the same few on every plan. */
export function makeGenerationMonthLimit(caller: KeyedCaller, plans: Plans, nowMs: number): Limit {
  const max = caller.kind === 'test' ? generationBounds.testPerMonth : plans[caller.plan].generationsPerMonth;
  const window = computeMonthWindow(nowMs);
  const limit = { kind: 'generations', owner: makeLimitOwner(caller), max, window } as const;
  return dropUndefined({ ...limit, unitName: 'AI images', accountName: caller.accountName });
}

/**
 * Lists the limits that a generation takes a unit of. An image of a test key counts in no day: the sandbox
 * draws it.
 * @param perDay the maximum of the operator's day, for all accounts together; absent without a bound
 */
export function listGenerationLimits(
  caller: KeyedCaller,
  plans: Plans,
  perDay: number | undefined,
  nowMs: number,
): readonly Limit[] {
  const owner = makeLimitOwner(caller);
  const minute = {
    window: computeMinuteWindow(nowMs),
    unitName: 'AI images that may begin at the same time',
  };
  const bounds: Limit[] = [
    makeGenerationMonthLimit(caller, plans, nowMs),
    { kind: 'generations', owner, max: generationBounds.accountPerMinute, ...minute },
    { kind: 'generations', owner: 'all', max: generationBounds.allPerMinute, ...minute },
  ];
  if (perDay === undefined || caller.kind === 'test') return bounds;
  const day = makeGenerationDayLimit(perDay, nowMs);
  const share = Math.max(generationShare.accountMin, Math.floor(perDay * generationShare.account));
  return [...bounds, { ...day, owner, max: share }, day];
}

/** Makes the limit of the operator's day of generations, for all accounts together. */
export function makeGenerationDayLimit(perDay: number, nowMs: number): Limit {
  const window = computeDayWindow(nowMs);
  const unitName = "AI images of the operator's day";
  return { kind: 'generations', owner: 'all', max: perDay, window, unitName };
}

/**
 * Lists the limits of requests that wait for an image. They begin anew each half minute.
 * @param executions the unreserved executions of the AWS account; absent if nothing bounds them
 */
export function listWaitingLimits(
  caller: KeyedCaller,
  executions: number | undefined,
  nowMs: number,
): readonly Limit[] {
  if (executions === undefined) return [];
  const { total, account } = computeWaitingPlaces(executions);
  const waiting = { kind: 'waiting', window: computeHalfMinuteWindow(nowMs) } as const;
  return [
    { ...waiting, owner: makeLimitOwner(caller), max: account },
    { ...waiting, owner: 'all', max: total },
  ];
}
