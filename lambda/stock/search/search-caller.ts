/** The caller of a search: its share of the providers' budgets, and the work that is counted for it. */

import type { Refusal } from '../../problems/problem';
import { takeFor } from '../../quota/charge';
import type { Limit } from '../../quota/limit';
import type { RequestContext } from '../../quota/request-context';
import { giveBack, type LimitServices, refusalAfter, type Take, take } from '../../quota/take';
import type { Asker } from '../ask-provider';

/** A page that shows several images, none twice. */
export interface Page {
  /**
   * Reserves an image for its place on the page, before it is rendered; false where another place shows it.
   * @param pick public id of the image
   */
  reserve(pick: string): Promise<boolean>;
}

/**
 * The caller of a search, and its cost so far. One object for each request: `mayShow`, `takeSearch`,
 * `takeRendition` and `giveBackRendition` change its last three fields, so that no work is counted twice.
 */
export interface SearchCaller {
  readonly asker: Exclude<Asker, 'upkeep'>;
  /** Its account, or `anonymous`: uses are reported once a day for each. */
  readonly owner: string;
  /** Id of the request. */
  readonly id: string;
  readonly workLimits: readonly Limit[];
  /** Whether the image is paid already: then its search is not counted. */
  readonly isPaid: boolean;
  /** Absent for an image by itself. */
  readonly page?: Page | undefined;
  /** Whether the image was made for this very request before: then no rendition is counted. */
  isMade: boolean;
  /** The unit of work for searching, which all slots share; absent until a search is needed. */
  search?: Promise<Refusal | undefined>;
  /** The unit of work for a rendition, which all candidates share; absent until one is needed. */
  rendition?: Promise<Take> | undefined;
}

/** The caller of a search, before it has cost anything. @param isMade as in `SearchCaller` */
export function searchCallerOf(
  context: Pick<RequestContext, 'workLimits' | 'requestId' | 'account' | 'pays'>,
  isMade = false,
  page?: Page,
): SearchCaller {
  const { workLimits, requestId: id, account, pays } = context;
  return {
    asker: account === undefined ? 'anonymous' : { account },
    owner: account ?? 'anonymous',
    id,
    workLimits,
    isPaid: pays.kind === 'settled',
    page,
    isMade,
  };
}

/**
 * Whether an image may be shown: on a page, only where no other place shows it.
 * @param caller is changed: after an image that may not be shown, the next one is not `isMade`
 */
export async function mayShow(caller: SearchCaller, pick: string): Promise<boolean> {
  const isShown = !caller.page || (await caller.page.reserve(pick));
  // The next image that is tried was not made for this request before.
  if (!isShown) caller.isMade = false;
  return isShown;
}

/**
 * Counts the search of a request, once.
 * @param caller is changed: it keeps the unit as `search`
 * @returns the refusal when the work of the hour is used up
 * @throws when the counter cannot be reached
 */
export async function takeSearch(
  services: LimitServices,
  caller: SearchCaller,
): Promise<Refusal | undefined> {
  if (caller.isPaid) return undefined;
  caller.search ??= takeFor(services, caller.workLimits, caller.id);
  return caller.search;
}

/**
 * Counts a rendition that may have to be made, once for a request. Returns and throws as `takeSearch`.
 * @param caller is changed: it keeps the unit as `rendition`
 */
export async function takeRendition(
  services: LimitServices,
  caller: SearchCaller,
): Promise<Refusal | undefined> {
  if (caller.isMade) return undefined;
  caller.rendition ??= take(services, caller.workLimits, caller.id);
  const taken = await caller.rendition;
  return taken.outcome === 'refused' ? refusalAfter(taken) : undefined;
}

/**
 * Gives the unit of a rendition back that was there: of two visitors at once, one has made it.
 * @param caller is changed: its `rendition` ends
 */
export async function giveBackRendition(services: LimitServices, caller: SearchCaller): Promise<void> {
  const taken = await caller.rendition;
  caller.rendition = undefined;
  if (taken && taken.outcome !== 'refused') await giveBack(services, taken.units);
}
