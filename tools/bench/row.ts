/** One row of the benchmark: a measurement of the service and its baseline as a ratio, with its verdict. */

/** What was measured, with what it is compared with. */
export interface Row {
  /** What `--only` takes. */
  readonly group: string;
  readonly name: string;
  /** What it is compared with, measured in the same run. */
  readonly baseline: string;
  readonly unit: 'KB' | 'CPU ms' | 'CPU µs' | 'per CPU s' | 'ms';
  readonly measured: number;
  readonly least: number;
  /** `measured / least`. */
  readonly ratio: number;
  /** Highest ratio that is meant to be. */
  readonly ratioMax?: number;
  /** Lowest ratio that is meant to be, of a throughput: such a row has no highest. */
  readonly ratioMin?: number;
}

/** Interleaved samples of both sides: the n-th of one was taken right after the n-th of the other. */
export interface Samples {
  readonly measured: readonly number[];
  readonly least: readonly number[];
}

/**
 * Makes a row of samples. The ratio is the median of the pairs' ratios, so that what slowed the machine for a moment
 * slowed both sides of a pair.
 * @throws `RangeError` when there are no samples or not as many of one as of the other.
 */
export function rowOf({
  measured,
  least,
  ...rest
}: Omit<Row, 'ratio' | 'measured' | 'least'> & Samples): Row {
  if (measured.length !== least.length) throw new RangeError('Samples come in pairs.');
  const ratios = measured.map((value, index) => value / (least[index] as number));
  return { ...rest, measured: median(measured), least: median(least), ratio: median(ratios) };
}

/** Whether a row is within its target. */
export function isWithin({
  ratio,
  ratioMax = Infinity,
  ratioMin = 0,
}: Pick<Row, 'ratio' | 'ratioMax' | 'ratioMin'>): boolean {
  return ratio <= ratioMax && ratio >= ratioMin;
}

/** The middle value, or the mean of the two in the middle. @throws `RangeError` when there is none. */
const median = (samples: readonly number[]): number =>
  (percentile(samples, 0.5) + percentile(samples, 0.5 + Number.EPSILON)) / 2;

/** The smallest value that a share of the samples (0.99) does not exceed. @throws `RangeError` when there is none. */
export function percentile(samples: readonly number[], share: number): number {
  if (samples.length === 0) throw new RangeError('Nothing was measured.');
  const index = Math.max(0, Math.ceil(samples.length * share) - 1);
  return [...samples].sort((a, b) => a - b)[index] as number;
}
