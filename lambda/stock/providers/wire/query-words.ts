/** The words of a query as a provider may be handed them. */

import { isStopWord } from '../../content-words';

/** Plain words without English stop words, each once; all of them when nothing else is left. */
export function plainContentWords(words: string, charactersMax: number): readonly string[] {
  const all = [...new Set(plainList(words))];
  const content = all.filter((word) => !isStopWord(word));
  const kept = withinCharacters((content.length > 0 ? content : all).join(' '), charactersMax);
  return kept === '' ? [] : kept.split(' ');
}

/** Words without anything that a search engine could read as an operator: letters, numbers, inner hyphens and apostrophes. */
function plainList(words: string): readonly string[] {
  return words
    .toLowerCase() // `OR` and `NOT` are operators, `or` and `not` are words.
    .replace(/[^\p{L}\p{M}\p{N}'’-]+/gu, ' ')
    .split(' ')
    .map((word) => word.replace(/^['’-]+|['’-]+$/g, ''))
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/** Words from which all are looked for together; with more of them hardly any image has them all. */
const strictWordsMax = 3;

/**
 * A question in Openverse's query language: up to three words as they are, and of more words all of them, or all
 * without the last, and so on down to the first two. Where that is too long, the longest alternatives are left out.
 * @param words plain ones
 */
export function relaxed(words: readonly string[], charactersMax: number): string {
  if (words.length <= strictWordsMax) return words.join(' ');
  const alternatives: string[] = [];
  for (let count = 2; count <= words.length; count++) {
    const next = [`(${words.slice(0, count).join(' ')})`, ...alternatives];
    if (next.join(' | ').length > charactersMax) break;
    alternatives.unshift(next[0] ?? '');
  }
  return alternatives.length > 1 ? alternatives.join(' | ') : words.slice(0, strictWordsMax).join(' ');
}

/** As many whole words as fit; a first word that is too long by itself is cut. */
export function withinCharacters(words: string, charactersMax: number): string {
  const characters = [...words];
  if (characters.length <= charactersMax) return words;
  const cut = characters.slice(0, charactersMax).join('');
  const lastSpace = cut.lastIndexOf(' ');
  const isWhole = characters[charactersMax] === ' ';
  return isWhole || lastSpace < 1 ? cut : cut.slice(0, lastSpace);
}
