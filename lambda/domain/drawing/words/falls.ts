/** Tells a waterfall from a river. */

const FALLS = [
  'waterfall',
  'cascade',
  'falls',
  'canyon',
  'gorge',
  'wasserfall',
  'schlucht',
  'cascada',
  'cascata',
];

/** True when one of the words means falling water or a gorge. */
export const namesFall = (words: ReadonlySet<string>): boolean => FALLS.some((word) => words.has(word));
