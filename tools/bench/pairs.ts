/** Compares two measured sides on a machine that may be busy. */

export type Row = Awaited<ReturnType<typeof comparePairs>>;

/**
 * Measures two sides in turn. The ratio is the median of the ratios of pairs, because a busy machine slows both
 * sides of a pair. The first pair does not count.
 */
export async function comparePairs(
  name: string,
  { bound, count }: { readonly bound: number; readonly count: number },
  [measureOurs, measureTheirs]: readonly [() => Promise<number>, () => Promise<number>],
) {
  const ratios: number[] = [];
  for (let i = 0; i <= count; i++) ratios.push((await measureOurs()) / (await measureTheirs()));
  const ratio = ratios.slice(1).sort((a, b) => a - b)[count >> 1] ?? Number.NaN;
  return { name, ratio, bound, ok: ratio <= bound };
}
