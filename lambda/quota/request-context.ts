/** What is known about a request beside its parameters: what it may spend, the image format and the deadline. */

import type { Plans } from '../contract/plans';
import type { Caller } from '../credentials/caller';
import type { Client } from '../credentials/client-ip';
import type { LabelledSize, RenditionFormat } from '../requests/rendition';
import { credentialLimitsOf, freeDeliveriesOf, renditionsOf, searchesOf } from './fair-use';
import type { Payment } from './payment';
import { type Limit, quotaOf } from './quota';

/** What a caller may spend at a moment. */
export interface CallerLimits {
  readonly quota: Limit;
  /** What the caller's credential may spend beside the quota. */
  readonly credentialLimits: readonly Limit[];
  /** Searches for which stock providers are asked; each of these counts them. */
  readonly searches: readonly Limit[];
  /** Deliveries that cost nothing; absent without a key, for which every image is charged. */
  readonly freeDeliveries?: Limit;
  /** Renditions that have to be made; each of these counts them. */
  readonly renditions: readonly Limit[];
}

/** What is known of one request beside its parameters. */
export interface RequestContext extends CallerLimits {
  /** What pays for the image already: then nothing is charged, and no window of free deliveries or searches counts it. */
  readonly payment?: Payment;
  readonly requestId: string;
  readonly format: RenditionFormat;
  /** Moment (epoch, milliseconds) by which the answer must be on its way. */
  readonly deadlineMs: number;
}

/** @param client used for callers without a key and for site keys only */
export function limitsOf(caller: Caller, client: Client, plans: Plans, nowMs: number): CallerLimits {
  return {
    quota: quotaOf(caller, client.ipHash, plans, nowMs),
    credentialLimits: credentialLimitsOf(caller, client, nowMs),
    searches: searchesOf(caller, client, plans, nowMs),
    ...(caller.kind !== 'anonymous' && { freeDeliveries: freeDeliveriesOf(caller, client, plans, nowMs) }),
    renditions: renditionsOf(caller, nowMs),
  };
}

/** Under which the rendition of a size and format is counted. */
export function renditionId({ widthPx, heightPx, label }: LabelledSize, format: RenditionFormat): string {
  return `${widthPx}x${heightPx}${label ? `-${label}` : ''}.${format}`;
}
