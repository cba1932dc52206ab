/** The words of a query as a provider may be handed them. */

/** Words without anything that a search engine could read as an operator: letters, numbers, inner hyphens and apostrophes. */
export function plainWords(words: string, charactersMax: number): string {
  const plain = words
    .toLowerCase() // `OR` and `NOT` are operators, `or` and `not` are words.
    .replace(/[^\p{L}\p{M}\p{N}'’-]+/gu, ' ')
    .split(' ')
    .map((word) => word.replace(/^['’-]+|['’-]+$/g, ''))
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .join(' ');
  return withinCharacters(plain, charactersMax);
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
