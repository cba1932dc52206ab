/** Cuts texts to a length, and writes them into HTML and XML. */

/** Cuts a text to a length, between words if that leaves most of it. @param end in place of the rest */
export function cutToLength(text: string, charactersMax: number, end = '…'): string {
  const characters = [...text];
  if (characters.length <= charactersMax) return text;
  // One character more: it may be the space that ends the last word.
  const cut = characters.slice(0, charactersMax - end.length + 1);
  const atWord = cut.join('').replace(/\s+\S*$/, '');
  const isMost = atWord.length > charactersMax / 2 && atWord.length < cut.join('').length;
  return `${isMost ? atWord : cut.slice(0, -1).join('')}${end}`;
}

/** Escapes a text for an element or a quoted attribute of HTML or XML. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
