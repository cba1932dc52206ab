/** Images that a page shows under a signer or site key: charged once a UTC day, which a mark of each records. */

import { dayWindow, type Window } from '../base/window';
import type { KeyedCaller } from '../credentials/caller';
import { fingerprintOf, type ImageRequest } from '../requests/image-request';
import type { Limit } from './limit';

/** One image of one account on one UTC day, for which its account pays once. */
export interface PaidImage {
  /** One for each account, mode, image and day: `PAID#<account>[#test]#<SHA-256>#<yyyy-mm-dd>`. */
  readonly key: string;
  /** The UTC day on which it is paid. */
  readonly day: Window;
}

/**
 * The image that a request is charged for.
 * @param quota what it is charged to: at the end of a month both take the same one
 */
export function paidImageOf(
  { kind, account }: Pick<KeyedCaller, 'kind' | 'account'>,
  request: ImageRequest,
  { window }: Pick<Limit, 'window'>,
  nowMs: number,
): PaidImage {
  const momentMs = Math.min(Math.max(nowMs, window.startMs), window.endMs - 1);
  const day = dayWindow(momentMs);
  const owner = kind === 'test' ? `${account}#test` : account;
  const hash = fingerprintOf({ ...sameImage(request), widthPx: 0, heightPx: 0 });
  return { key: `PAID#${owner}#${hash}#${day.label}`, day };
}

/** One form for all requests that mean the same image: the first rank is that of no seed, and what `onmiss` adds is another image. */
function sameImage(request: ImageRequest): ImageRequest {
  if (request.provider === 'ai') return request;
  const { onmiss, ...filters } = request.filters;
  return { ...request, filters, seed: request.seed === '1' ? '' : request.seed };
}

/** A mark only ever goes from absent to pending and from there to paid, or back to absent when nothing was charged. */
export type PaidMark =
  | { readonly state: 'absent' | 'paid'; readonly holder?: undefined }
  | {
      readonly state: 'pending';
      /** Who is about to pay. */
      readonly holder: string;
      /** Moment (epoch, milliseconds) from which it counts as abandoned. */
      readonly endsMs: number;
    };

/**
 * Every write is one conditional update that may be applied twice without harm, and is repeated after a lost answer. All
 * throw when the outcome is still unknown after the last attempt.
 */
export interface PaidImages {
  /** Strongly consistent. */
  read(image: PaidImage): Promise<PaidMark>;
  /**
   * Makes an absent mark pending.
   * @param holder differs for each attempt to pay
   * @returns `begun` to exactly one holder; otherwise the mark that stands there
   */
  begin(image: PaidImage, holder: string, endsMs: number): Promise<'begun' | PaidMark>;
  /** Makes an absent mark paid, without effect on any other. */
  mark(image: PaidImage): Promise<void>;
  /** Makes what a holder has pending paid; false when it no longer has it. */
  settle(image: PaidImage, holder: string): Promise<boolean>;
  /**
   * Removes what a holder has pending: nothing was charged. Without effect when it no longer has it.
   * @returns whether the image is paid, as others took the pending payment for abandoned
   */
  release(image: PaidImage, holder: string): Promise<boolean>;
}
