/** Shortens texts, escapes texts for HTML and XML, and hides secrets in texts. */

/** Cuts a text to a length, between words if that keeps more than half of it. `end` follows the cut. */
export function cutToLength(text: string, charactersMax: number, end = '…'): string {
  const characters = [...text];
  if (characters.length <= charactersMax) return text;
  // One more character is kept first, because it may be the space after the last word.
  const cut = characters.slice(0, charactersMax - end.length + 1);
  const atWord = cut.join('').replace(/\s+\S*$/, '');
  const isMost = atWord.length > charactersMax / 2 && atWord.length < cut.join('').length;
  return `${isMost ? atWord : cut.slice(0, -1).join('')}${end}`;
}

/**
 * Escapes a text for an element or a quoted attribute of HTML or XML. Braces, `@` and backticks are escaped
 * for the template languages of pages. Control characters become spaces.
 */
export function escapeMarkup(text: string): string {
  const printable = text.toWellFormed().replace(/\p{Cc}/gu, ' ');
  return printable.replace(/[&<>"'`@{}]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Cuts secrets in a text down to their prefixes. It is for logs and messages, so ids of signers stay. */
export function hideSecrets(text: string): string {
  return text.replace(/(pk|sgs|site)_(live|test)_[\w-]+/g, '$1_$2_[redacted]');
}

/** Cuts the secrets of a caller's text down to `pk_live_...`, even mistyped ones, and ids of signers. */
export function hideCredentials(text: string): string {
  return text.replace(/((?:pk|sgs?|site)_(?:live|test)_)[^\s&]*|((?:pk|sgs)_)[^\s&]{8,}/gi, '$1$2...');
}

/** Writes the first letter of a text as a capital. */
export function capitalise(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
