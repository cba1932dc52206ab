/** Splits texts into words, and reduces words to stems. Texts are compared by their stems. */

import irregularPlurals from 'irregular-plurals';
import { stemmer } from 'stemmer';

/** English words that say nothing about a subject. Other languages have no stop words here. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been being but by can do does for from had has have he her his i if in into is it its ' +
    'me my no nor not of off on onto or our over she so than that the their them then there these they this those ' +
    'to too under up upon us was we were what when where which while who whom whose why will with would you your'
  ).split(' '),
);

/** Words about the medium or its place on a page, not about the subject of an image. */
export const mediumWords: ReadonlySet<string> = new Set(
  (
    'photo photos photograph photographs photography picture pictures image images hero banner background backgrounds ' +
    'page section header footer stock quality resolution hd 4k 8k wallpaper website homepage thumbnail realistic ' +
    'photorealistic cinematic'
  ).split(' '),
);

const singularByPlural: ReadonlyMap<string, string> = new Map(
  [...irregularPlurals].map(([singular, plural]) => [plural, singular]),
);

/** Splits a text into words in lower case. A word is a run of letters, marks and digits. */
export function splitIntoWords(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu) ?? []
  );
}

/** Returns the Porter stem of a word in lower case, or the word itself if it has other letters than a to z. */
export function stemWord(word: string): string {
  const withoutGenitive = word.replace(/['’]s?$/, '');
  const singular = singularByPlural.get(withoutGenitive) ?? withoutGenitive;
  return /^[a-z]+$/.test(singular) ? stemmer(singular) : singular;
}

/** Returns the stems of all words of the texts. */
export function stemWords(...texts: readonly (string | undefined)[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => (text === undefined ? [] : splitIntoWords(text).map(stemWord))));
}
