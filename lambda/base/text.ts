/** Functions that shorten texts, and that write them into HTML and XML. */

/** Cuts a text to a length, between words if that leaves most of it; `end` takes the place of the rest. */
export function cutToLength(text: string, charactersMax: number, end = '…'): string {
  const characters = [...text];
  if (characters.length <= charactersMax) return text;
  // One character more: it may be the space that ends the last word.
  const cut = characters.slice(0, charactersMax - end.length + 1);
  const atWord = cut.join('').replace(/\s+\S*$/, '');
  const isMost = atWord.length > charactersMax / 2 && atWord.length < cut.join('').length;
  return `${isMost ? atWord : cut.slice(0, -1).join('')}${end}`;
}

/**
 * Escapes a text for an element or a quoted attribute of HTML or XML. Templates of pages may read braces, `@`
 * and backticks of markup; control characters have no place in it, escaped or not.
 */
export function escapeMarkup(text: string): string {
  const printable = text.toWellFormed().replace(/\p{Cc}/gu, ' ');
  return printable.replace(/[&<>"'`@{}]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Cuts secret keys and signers' secrets in a text down to their prefixes. */
export function hideSecrets(text: string): string {
  return text.replace(/(pk|sgs|site)_(live|test)_[\w-]+/g, '$1_$2_[redacted]');
}

/** Writes the first letter of a text as a capital. */
export function capitalise(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
