/** The context of a request beside its parameters: limits, payment, image format and deadline. */

import type { Plans } from '../contract/plans';
import type { AccountId, Caller } from '../credentials/caller';
import type { RenditionFormat } from '../requests/rendition';
import { requestLimitsOf, workLimitsOf } from './caller-limits';
import type { Limit } from './limit';
import type { PaidImage, Payment } from './payment';

/** The limits of a caller at a moment. */
export interface CallerLimits {
  /** The limits an image is charged to: those of the credential, then the account's plan or the address. */
  readonly requestLimits: readonly [...Limit[], Limit];
  /** The limits of searches, new renditions and free deliveries. */
  readonly workLimits: readonly Limit[];
  /** Absent for callers without a key. */
  readonly account?: AccountId;
}

/** The context of a request beside its parameters. */
export interface RequestContext extends CallerLimits {
  /**
   * What pays for the image. `charge`: one that is still to be made, for the image and day that are `claimed`.
   * `settled`: an earlier charge, or none for a free image; no unit is taken then, and no search is counted.
   */
  readonly pays:
    | { readonly kind: 'charge'; readonly claimed?: PaidImage }
    | { readonly kind: 'settled'; readonly payment: Payment };
  readonly requestId: string;
  readonly format: RenditionFormat;
  /** Moment (epoch, milliseconds) by which the answer must be on its way. */
  readonly deadlineMs: number;
}

/** The payment of a request that takes no unit any more; `undefined` before the charge. */
export function settledPaymentOf({ pays }: Pick<RequestContext, 'pays'>): Payment | undefined {
  return pays.kind === 'settled' ? pays.payment : undefined;
}

/**
 * The limits of a caller. @param ipHash of the client's IP address; read for anonymous callers and site keys
 */
export function limitsOf(caller: Caller, ipHash: string, plans: Plans, nowMs: number): CallerLimits {
  return {
    requestLimits: requestLimitsOf(caller, ipHash, plans, nowMs),
    workLimits: workLimitsOf(caller, ipHash, nowMs),
    ...(caller.kind !== 'anonymous' && { account: caller.account }),
  };
}
