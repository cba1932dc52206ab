/** Statistics of samples. */

/** The middle value, or the mean of the two in the middle. @throws `RangeError` when there is none. */
export function median(samples: readonly number[]): number {
  if (samples.length === 0) throw new RangeError('There is no median of nothing.');
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** The smallest value that a share of the samples (0.99) does not exceed. @throws `RangeError` when there is none. */
export function percentile(samples: readonly number[], share: number): number {
  if (samples.length === 0) throw new RangeError('There is no percentile of nothing.');
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] as number;
}

/** A number with three digits that count, without an exponent: `0.0312`, `4.62`, `335`, `18900`. */
export function threeDigits(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const digitsBefore = Math.floor(Math.log10(Math.abs(value))) + 1;
  if (digitsBefore <= 3) return value.toFixed(3 - digitsBefore);
  const unit = 10 ** (digitsBefore - 3);
  return String(Math.round(value / unit) * unit);
}
