/** The limits beside the quota: of what costs a caller nothing, of credentials, and of what all accounts share. */

import { dayWindow, hourWindow, minuteWindow, monthWindow, type Window } from '../base/window';
import {
  accountSearches,
  anonymousRenditionsPerHour,
  anonymousSearches,
  freeDeliveriesPerNewRendition,
  type Plans,
  refusedPromptsPerHour,
  renditionsPerPaidImageAndHour,
  sharedLimits,
  siteImagesPerClientPerHour,
  siteSearchesPerClientPerHour,
  testFreeDeliveriesPerHour,
  testRequestsPerHour,
  unprovenShareOfSite,
  usageReportsPerMinute,
} from '../contract/plans';
import type { Caller, KeyedCaller } from '../credentials/caller';
import type { Client } from '../credentials/client-ip';
import type { FairUse } from '../problems/problem';
import type { Limit } from './quota';

/** Names whose fair use is counted: live and test keys of an account apart. */
export function fairUseOwner({ kind, account }: Pick<KeyedCaller, 'kind' | 'account'>): string {
  return `${kind}#${account}`;
}

/**
 * Whose searches and free deliveries are counted together. What is published in a page counts by itself: whoever sees the
 * page must not use up what the account's own keys have.
 */
function searcherOf(caller: Caller, { ipHash }: Client): string {
  if (caller.kind === 'anonymous') return `ip#${ipHash}`;
  return caller.publishedAs ? `key#${caller.keyId}` : fairUseOwner(caller);
}

/** The hour's deliveries that cost a caller nothing. */
export function freeDeliveriesOf(caller: KeyedCaller, client: Client, plans: Plans, nowMs: number): Limit {
  const perHour =
    caller.kind === 'test' ? testFreeDeliveriesPerHour : plans[caller.plan].freeDeliveriesPerHour;
  return fairUse('free-deliveries', searcherOf(caller, client), perHour, hourWindow(nowMs));
}

/** The renditions of the hour that are newly made for deliveries which cost a caller nothing. */
export function freeRenditionsOf({ counter, limit, window }: Limit): Limit {
  const made = Math.max(1, Math.floor(limit / freeDeliveriesPerNewRendition));
  return fairUse('free-renditions', 'owner' in counter ? counter.owner : '', made, window);
}

/** The renditions of the hour that are newly made for a caller without a key; none are counted for an account. */
export function renditionsOf(caller: Caller, nowMs: number): readonly Limit[] {
  return caller.kind === 'anonymous'
    ? [fairUse('anonymous-renditions', 'all', anonymousRenditionsPerHour, hourWindow(nowMs))]
    : [];
}

/**
 * The renditions of the hour that are newly made of an image which is paid already.
 * @param image the key of its mark
 */
export function paidImageRenditionsOf({ keyId }: KeyedCaller, image: string, nowMs: number): Limit {
  const owner = `${keyId}#${image}`;
  const limit = fairUse('paid-image-renditions', owner, renditionsPerPaidImageAndHour, hourWindow(nowMs));
  // Each of them once, however many requests for it come before it is made.
  return { ...limit, counter: { kind: 'fair-use', use: 'paid-image-renditions', owner, isSet: true } };
}

/** The hour's requests of a caller for which a stock provider is asked: each of these counts them. */
export function searchesOf(caller: Caller, client: Client, plans: Plans, nowMs: number): readonly Limit[] {
  const hour = hourWindow(nowMs);
  const owner = searcherOf(caller, client);
  if (caller.kind === 'anonymous') {
    const { perHour, perNetworkAndHour } = anonymousSearches;
    const { networkHash } = client;
    const network =
      networkHash === undefined ? [] : [fairUse('network-searches', networkHash, perNetworkAndHour, hour)];
    return [fairUse('searches', owner, perHour, hour), ...network];
  }
  const requests = caller.kind === 'test' ? testRequestsPerHour : plans[caller.plan].monthlyRequests;
  const limit = Math.max(accountSearches.perHourMin, Math.floor(requests * accountSearches.shareOfMonth));
  const ofClient =
    caller.publishedAs === 'site'
      ? [fairUse('searches', `${owner}#${client.ipHash}`, siteSearchesPerClientPerHour, hour)]
      : [];
  return [...ofClient, fairUse('searches', owner, limit, hour)];
}

/** The reports of its usage that an account may ask for in a minute. */
export function usageReportsOf(caller: KeyedCaller, nowMs: number): Limit {
  return fairUse('usage-reports', fairUseOwner(caller), usageReportsPerMinute, minuteWindow(nowMs));
}

/** What a credential may spend beside its account's quota: each unit is taken from all of these limits or from none. */
export function credentialLimitsOf(caller: Caller, { ipHash }: Client, nowMs: number): readonly Limit[] {
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

/**
 * The images that may be generated for all accounts together on the day of a moment.
 * @param owner for whom one is to be generated: its share of them is counted too
 */
export function dailyGenerations(limit: number, nowMs: number, owner?: string): Limit {
  const window = dayWindow(nowMs);
  const all = fairUse('generations', 'all', limit, window);
  return owner === undefined ? all : { ...all, share: generationShareOf(owner, limit, nowMs) };
}

/** What one account is sure of among the images of a day. */
export function generationShareOf(owner: string, limit: number, nowMs: number): Limit {
  return fairUse('generation-share', owner, shareOf(limit), dayWindow(nowMs));
}

/** What one account is sure of in a limit that all share. */
export function shareOf(limit: number): number {
  return Math.max(sharedLimits.accountMin, Math.floor(limit * sharedLimits.account));
}

function fairUse(use: FairUse, owner: string, limit: number, window: Window): Limit {
  return { counter: { kind: 'fair-use', use, owner }, limit, window };
}
