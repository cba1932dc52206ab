/** What a refusal and the rate-limit headers say of a limit. */

import type { Window } from '../base/window';

/** What is bounded beside the quota, because it costs the operator something and the caller nothing. */
export type FairUse =
  | 'free-deliveries'
  | 'free-renditions'
  | 'searches'
  | 'refused-prompts'
  | 'generations'
  /** Units that a credential may spend of its account's quota, by its kind. */
  | 'key-requests'
  | 'signer-requests'
  | 'site-requests'
  /** Of a site key's units, those for requests with neither `Origin` nor `Referer`, and those of one client. */
  | 'unproven-requests'
  | 'client-images';

/** The rate limit status of a caller in its window: what the rate-limit headers say. */
export interface RateLimitStatus {
  readonly limit: number;
  readonly remaining: number;
  readonly window: Window;
}
