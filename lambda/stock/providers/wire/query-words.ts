/** The words of a query as a provider may be handed them. */

/** As many whole words as fit; a first word that is too long by itself is cut. */
export function withinCharacters(words: string, charactersMax: number): string {
  const characters = [...words];
  if (characters.length <= charactersMax) return words;
  const cut = characters.slice(0, charactersMax).join('');
  const lastSpace = cut.lastIndexOf(' ');
  const isWhole = characters[charactersMax] === ' ';
  return isWhole || lastSpace < 1 ? cut : cut.slice(0, lastSpace);
}
