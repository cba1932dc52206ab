/** The seeds under which other images of the same words are found, where the first one is on the page already. */

/** Seeds from 1 to this one are the best match, the second best and so on. */
const rankedMax = 20;

/** The seeds to try for a request, its own first; always the same. */
export function seedVariants(seed: string): readonly string[] {
  const rank = seed === '' ? 1 : Number(seed);
  const isRank = /^\d{0,2}$/.test(seed) && rank >= 1 && rank <= rankedMax;
  if (!isRank)
    return [seed, ...Array.from({ length: rankedMax - 1 }, (_, i) => `${seed.slice(0, 60)} ${i + 2}`)];
  const ranks = Array.from({ length: rankedMax }, (_, i) => i + 1);
  const others = [...ranks.filter((each) => each > rank), ...ranks.filter((each) => each < rank)];
  return [seed, ...others.map(String)];
}
