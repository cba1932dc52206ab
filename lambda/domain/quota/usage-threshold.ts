/** The shares of a monthly quota whose use is announced, and the very request that reaches one. */

const usageThresholdsPercent = [80, 100] as const;
export type UsageThreshold = (typeof usageThresholdsPercent)[number];

/**
 * The thresholds that a counter reaches with exactly this value. A counter grows one by one, so each threshold is
 * reached by one request, and by another only after something was given back.
 * @param used units taken, the latest included
 */
export function thresholdsReachedBy(used: number, limit: number): readonly UsageThreshold[] {
  return usageThresholdsPercent.filter((percent) => used === Math.ceil((limit * percent) / 100));
}
