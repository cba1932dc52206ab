/** The throttles of the usage plans: a token bucket for each tier's API Gateway key. */

import { type Tier, tiers } from '../../lambda/contract/plans';

export interface Throttle {
  /** Requests per second in the long run. */
  readonly rate: number;
  /** Requests at once. */
  readonly burst: number;
}

export interface UsagePlans {
  /** Value of the API Gateway key of each tier, as the authorizer has to name it. */
  readonly keys: Readonly<Record<Tier, string>>;
  /** `unknown` when no plan has such a key. */
  admit(usageIdentifierKey: string | null | undefined, nowMs: number): 'admitted' | 'throttled' | 'unknown';
}

/** @param throttle of every tier by itself */
export function createUsagePlans(throttle: Throttle): UsagePlans {
  const keys = Object.fromEntries(tiers.map((tier) => [tier, `local-usage-plan-key-${tier}`])) as Record<
    Tier,
    string
  >;
  const buckets = new Map(
    tiers.map((tier) => [keys[tier], { ...throttle, tokens: throttle.burst, atMs: 0 }]),
  );
  return {
    keys,
    admit(usageIdentifierKey, nowMs) {
      const bucket = buckets.get(usageIdentifierKey ?? '');
      if (!bucket) return 'unknown';
      const gained = (Math.max(0, nowMs - bucket.atMs) / 1_000) * bucket.rate;
      bucket.tokens = Math.min(bucket.burst, bucket.tokens + gained);
      bucket.atMs = nowMs;
      if (bucket.tokens < 1) return 'throttled';
      bucket.tokens -= 1;
      return 'admitted';
    },
  };
}
