/** The words of a query that say what the image shows, and the light stem under which words are compared. */

/** English words that carry no subject; words of other languages are all kept. */
const stopWords: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been being but by can do does for from had has have he her his i if in into is it its ' +
    'me my no nor not of off on onto or our over she so than that the their them then there these they this those ' +
    'to too under up upon us was we were what when where which while who whom whose why will with would you your'
  ).split(' '),
);

/** The words of a text in lower case; whatever is neither letter, mark nor digit separates them. */
function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu) ?? [];
}

/** Whether a word in lower case is an English word that carries no subject. */
export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

/** The words of a query without English stop words, each once; all of them when nothing else is left. */
export function contentWordsOf(query: string): readonly string[] {
  const words = [...new Set(wordsOf(query))];
  const content = words.filter((word) => !isStopWord(word));
  return content.length > 0 ? content : words;
}

/**
 * The form in which two words are compared: without a plural s and without -ing or -ed, and with the e that such an
 * ending may have replaced removed too, so that `hike`, `hikes`, `hiking` and `hiked` are one word. At least three
 * letters stay, so that `king`, `red` and `gas` remain whole.
 */
export function stemOf(word: string): string {
  const singular = withoutPlural(word.replace(/['’]s?$/, ''));
  const bare = singular.replace(/(?<=^.{3,})(?:ing|ed)$/u, '');
  const undoubled = bare === singular ? bare : bare.replace(/([bdgklmnprt])\1$/, '$1');
  return undoubled.length > 3 ? undoubled.replace(/e$/, '') : undoubled;
}

function withoutPlural(word: string): string {
  if (/(?<=^.{2,})ies$/u.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?<=^.{2,})(?:ss|sh|ch|x|z)es$/u.test(word)) return word.slice(0, -2);
  return word.replace(/(?<=^.{2,}[^siu])s$/u, '');
}

/** The stems of all words of some texts. */
export function stemsOf(...texts: readonly (string | undefined)[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => (text === undefined ? [] : wordsOf(text).map(stemOf))));
}
