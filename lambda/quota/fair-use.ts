/** What bounds the paths that cost a caller nothing: windows of their own, beside the quota. */

import { dayWindow, hourWindow, monthWindow, type Window } from '../base/window';
import {
  accountSearches,
  anonymousSearchesPerHour,
  freeDeliveriesPerNewRendition,
  type Plans,
  refusedPromptsPerHour,
  siteImagesPerClientPerHour,
  testFreeDeliveriesPerHour,
  testRequestsPerHour,
  unprovenShareOfSite,
} from '../contract/plans';
import type { Caller, KeyedCaller } from '../credentials/caller';
import type { FairUse } from '../problems/problem';
import type { Limit } from './quota';

/** Names whose fair use is counted: live and test keys of an account apart. */
export function fairUseOwner({ kind, account }: Pick<KeyedCaller, 'kind' | 'account'>): string {
  return `${kind}#${account}`;
}

/** The hour's deliveries that cost a caller nothing. */
export function freeDeliveriesOf(caller: KeyedCaller, plans: Plans, nowMs: number): Limit {
  const limit = caller.kind === 'test' ? testFreeDeliveriesPerHour : plans[caller.plan].freeDeliveriesPerHour;
  return fairUse('free-deliveries', fairUseOwner(caller), limit, hourWindow(nowMs));
}

/** The renditions of the hour that are newly made for deliveries which cost a caller nothing. */
export function freeRenditionsOf(caller: KeyedCaller, plans: Plans, nowMs: number): Limit {
  const { limit } = freeDeliveriesOf(caller, plans, nowMs);
  const made = Math.max(1, Math.floor(limit / freeDeliveriesPerNewRendition));
  return fairUse('free-renditions', fairUseOwner(caller), made, hourWindow(nowMs));
}

/**
 * The hour's requests of a caller for which a stock provider is asked.
 * @param ipHash keyed hash of the client IP address, used for anonymous callers only
 */
export function searchesOf(caller: Caller, ipHash: string, plans: Plans, nowMs: number): Limit {
  if (caller.kind === 'anonymous')
    return fairUse('searches', `ip#${ipHash}`, anonymousSearchesPerHour, hourWindow(nowMs));
  const requests = caller.kind === 'test' ? testRequestsPerHour : plans[caller.plan].monthlyRequests;
  const limit = Math.max(accountSearches.perHourMin, Math.floor(requests * accountSearches.shareOfMonth));
  return fairUse('searches', fairUseOwner(caller), limit, hourWindow(nowMs));
}

/**
 * What bounds a credential beside its account's quota: each unit is taken from all of these windows or from none.
 * @param ipHash keyed hash of the client IP address, used for site keys only
 */
export function credentialLimitsOf(caller: Caller, ipHash: string, nowMs: number): readonly Limit[] {
  if (caller.kind === 'anonymous') return [];
  const { keyId, publishedAs = 'key', isUnproven, maxPerMonth } = caller;
  const month = monthWindow(nowMs);
  const isSite = publishedAs === 'site';
  const own =
    maxPerMonth === undefined ? [] : [fairUse(`${publishedAs}-requests`, keyId, maxPerMonth, month)];
  const unproven =
    isSite && isUnproven && maxPerMonth !== undefined
      ? [fairUse('unproven-requests', keyId, Math.floor(maxPerMonth * unprovenShareOfSite), month)]
      : [];
  const client = isSite
    ? [fairUse('client-images', `${keyId}#${ipHash}`, siteImagesPerClientPerHour, hourWindow(nowMs))]
    : [];
  return [...client, ...unproven, ...own];
}

/** The hour's prompts of an account that the generator may refuse. */
export function refusedPromptsOf(owner: string, nowMs: number): Limit {
  return fairUse('refused-prompts', owner, refusedPromptsPerHour, hourWindow(nowMs));
}

/** The images that may be generated for an account in the month of a moment. */
export function monthlyGenerationsOf(owner: string, limit: number, nowMs: number): Limit {
  return fairUse('generations', owner, limit, monthWindow(nowMs));
}

/** The images that may be generated for all accounts together on the day of a moment. */
export function dailyGenerations(limit: number, nowMs: number): Limit {
  return fairUse('generations', 'all', limit, dayWindow(nowMs));
}

function fairUse(use: FairUse, owner: string, limit: number, window: Window): Limit {
  return { counter: { kind: 'fair-use', use, owner }, limit, window };
}
