/** One row of the benchmark: a measurement of the service and its baseline, as a ratio. */

import { median } from './statistics';

export interface Row {
  /** What `--only` takes. */
  readonly group: string;
  readonly name: string;
  /** What it is compared with, measured in the same run. */
  readonly baseline: string;
  readonly unit: 'KB' | 'CPU ms' | 'CPU µs' | 'per CPU s' | 'per s' | 'ms';
  readonly measured: number;
  readonly least: number;
  /** `measured / least`. */
  readonly ratio: number;
  /** Highest ratio that is meant to be; absent where the ratio is only stated. */
  readonly ratioMax?: number;
  /** Lowest ratio that is meant to be, of a throughput. */
  readonly ratioMin?: number;
  /** Set where the baseline does less than what is measured: the ratio then says how much more, not how well. */
  readonly doesMore?: true;
}

export type Verdict = 'within' | 'above' | 'below' | 'stated' | 'does more';

/** A row before its ratio is worked out. */
export type Comparison = Omit<Row, 'ratio' | 'measured' | 'least'> & {
  /** Interleaved samples: the n-th of one was taken right after the n-th of the other. */
  readonly measured: readonly number[];
  readonly least: readonly number[];
};

/**
 * Makes a row of samples. The ratio is the median of the pairs' ratios, so that what slowed the machine for a moment
 * slowed both sides of a pair.
 * @throws `RangeError` when there are no samples or not as many of one as of the other.
 */
export function rowOf({ measured, least, ...rest }: Comparison): Row {
  if (measured.length !== least.length) throw new RangeError('Samples come in pairs.');
  const ratios = measured.map((value, index) => value / (least[index] as number));
  return { ...rest, measured: median(measured), least: median(least), ratio: median(ratios) };
}

export function verdictOf({
  ratio,
  ratioMax,
  ratioMin,
  doesMore,
}: Pick<Row, 'ratio' | 'ratioMax' | 'ratioMin' | 'doesMore'>): Verdict {
  if (ratioMax !== undefined && ratio > ratioMax) return 'above';
  if (ratioMin !== undefined && ratio < ratioMin) return 'below';
  if (ratioMax === undefined && ratioMin === undefined) return doesMore ? 'does more' : 'stated';
  return 'within';
}
