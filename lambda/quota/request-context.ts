/** What is known about a request beside its parameters: what it may spend, the image format and the deadline. */

import type { Plans } from '../contract/plans';
import type { AccountId, Caller } from '../credentials/caller';
import type { RenditionFormat } from '../requests/rendition';
import { requestLimitsOf, workLimitsOf } from './caller-limits';
import type { Limit } from './limit';
import type { Claim, Payment } from './payment';

/** What a caller may spend at a moment. */
export interface CallerLimits {
  /** What an image is charged to: what the credential may spend, and last the account's plan or the address. */
  readonly requestLimits: readonly [...Limit[], Limit];
  /** What a search, a new rendition and a free delivery take a unit of. */
  readonly workLimits: readonly Limit[];
  /** Absent for callers without a key. */
  readonly account?: AccountId;
}

/** What is known of one request beside its parameters. */
export interface RequestContext extends CallerLimits {
  /** What pays for the image already: then nothing is charged, and neither free deliveries nor searches are counted. */
  readonly payment?: Payment;
  /** The image and day that the request has claimed: its charge is noted there before anything else is done. */
  readonly claim?: Claim;
  readonly requestId: string;
  readonly format: RenditionFormat;
  /** Moment (epoch, milliseconds) by which the answer must be on its way. */
  readonly deadlineMs: number;
}

/** @param ipHash keyed hash of the client's IP address, for anonymous callers and site keys */
export function limitsOf(caller: Caller, ipHash: string, plans: Plans, nowMs: number): CallerLimits {
  return {
    requestLimits: requestLimitsOf(caller, ipHash, plans, nowMs),
    workLimits: workLimitsOf(caller, ipHash, nowMs),
    ...(caller.kind !== 'anonymous' && { account: caller.account }),
  };
}
