/** The context of a request beside its parameters: limits, image format and deadline. */

import type { Plans } from '../contract/plans';
import type { AccountId, Caller } from '../credentials/caller';
import type { RenditionFormat } from '../requests/rendition';
import { requestLimitsOf, workLimitsOf } from './caller-limits';
import type { Limit } from './limit';

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
  readonly requestId: string;
  readonly format: RenditionFormat;
  /** Moment (epoch, milliseconds) by which the answer must be on its way. */
  readonly deadlineMs: number;
}

/**
 * The limits of a caller. @param ipHash of the client's IP address; read for anonymous callers and site keys
 */
export function limitsOfCaller(caller: Caller, ipHash: string, plans: Plans, nowMs: number): CallerLimits {
  return {
    requestLimits: requestLimitsOf(caller, ipHash, plans, nowMs),
    workLimits: workLimitsOf(caller, ipHash, nowMs),
    ...(caller.kind !== 'anonymous' && { account: caller.account }),
  };
}
