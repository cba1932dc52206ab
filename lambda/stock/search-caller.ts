/** The caller of a search: whose share of the providers' budgets it uses, and whether it may search and have images made. */

import type { Refusal } from '../problems/problem';
import { refusalAfter, takeFor } from '../quota/charge';
import type { RequestContext } from '../quota/request-context';
import { giveBack, type LimitServices, type Take, take } from '../quota/take';
import type { Asker } from './ask-provider';

/** Who searches, and what that costs. */
export interface SearchCaller {
  readonly asker: Exclude<Asker, 'upkeep'>;
  /** Its account, or `anonymous`, for which a use is reported once a day. */
  readonly owner: string;
  /** Id of the request. */
  readonly id: string;
  /**
   * Takes a unit of work for the search, at the first call only.
   * @returns the refusal when the work of the hour is used up
   * @throws when the counter cannot be reached
   */
  takeSearch(): Promise<Refusal | undefined>;
  /** As `takeSearch`, for a rendition that may have to be made. */
  takeRendition(): Promise<Refusal | undefined>;
  /** Gives that unit back: the rendition was there, so of many requests at once only the one that made it is counted. */
  giveBackRendition(): Promise<void>;
  /**
   * Decides whether an image is shown, before its rendition is made; absent where every image may be.
   * @param pick public id of the image
   */
  claim?(pick: string): Promise<boolean>;
}

/**
 * A request that is paid already searches without being counted.
 * @param isMade whether its image was made for this very request before, which takes no unit then
 */
export function searchCallerOf(
  services: LimitServices,
  context: Pick<RequestContext, 'workLimits' | 'requestId' | 'account' | 'payment'>,
  isMade: () => Promise<boolean> = async () => false,
): SearchCaller {
  const { workLimits, requestId, account, payment } = context;
  let search: Promise<Refusal | undefined> | undefined;
  let rendition: Promise<Take | undefined> | undefined;
  const takeOne = async () => ((await isMade()) ? undefined : take(services, workLimits, requestId));
  return {
    asker: account === undefined ? 'anonymous' : { account },
    owner: account ?? 'anonymous',
    id: requestId,
    async takeSearch() {
      if (!payment) search ??= takeFor(services, workLimits, requestId);
      return search;
    },
    async takeRendition() {
      rendition ??= takeOne();
      const taken = await rendition;
      return taken?.outcome === 'refused' ? refusalAfter(taken) : undefined;
    },
    async giveBackRendition() {
      const taken = await rendition;
      rendition = undefined;
      if (taken && taken.outcome !== 'refused') await giveBack(services, taken.units);
    },
  };
}
