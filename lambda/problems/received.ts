/** Shortens a value for an error message, so that its sender recognises it and no credential is shown. */

/** Characters of a value that are repeated. */
const charactersMax = 40;
/** Longest part of a value that is examined, in UTF-16 units: a page may stand in place of a word. */
const lookedAtMax = 1_000;

/** Keys and secrets, also mistyped ones, and the ids of signers and site keys, which are public but pay. */
const credential = /(?:pk|sgs?|site)_(?:live|test)_[^\s&]*|(?:pk|sgs)_[^\s&]{8,}/gi;

/** Cuts each credential in a text down to its prefix: `pk_live_...`. */
export function hideCredentials(text: string): string {
  return text.replace(credential, (secret) => `${/^[a-z]+_(?:(?:live|test)_)?/i.exec(secret)?.[0] ?? ''}...`);
}

/** Shows the first 40 printable characters of a value, and how many follow; `empty` for none. */
export function receivedText(value: string): string {
  if (value === '') return 'empty';
  const text = hideCredentials(value.slice(0, lookedAtMax).toWellFormed());
  const characters = [...text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')];
  if (characters.length === 0) return 'only characters that cannot be shown';
  const leftOut = characters.length - charactersMax + Math.max(0, value.length - lookedAtMax);
  return `${characters.slice(0, charactersMax).join('')}${leftOut > 0 ? `... and ${leftOut} more` : ''}`;
}
