/** The plans and the tiers of API Gateway usage plans. */

/**
 * Tiers of API Gateway usage plans. The plan's tier throttles bursts for all its callers together; the exact quota is
 * ours. `anonymous` also carries callers whose key was refused.
 */
export const tiers = ['anonymous', 'test', 'free', 'pro', 'business', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];
