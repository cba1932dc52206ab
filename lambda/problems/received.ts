/** What an error repeats of a request: enough to recognise it, and never a credential. */

/** Characters of a value that are repeated. */
const charactersMax = 40;
/** Length of a text that is looked at, in UTF-16 units: a page may stand in place of a word. */
const lookedAtMax = 1_000;

/** Keys and secrets, also where they were mistyped; ids of signers and site keys are public, but pay as well. */
const credential = /(?:pk|sgs?|site)_(?:live|test)_[^\s&]*|(?:pk|sgs)_[^\s&]{8,}/gi;

/** A text with each credential in it cut down to the kind that it is. */
export function withoutCredentials(text: string): string {
  return text.replace(credential, (found) => `${/^[a-z]+_(?:(?:live|test)_)?/i.exec(found)?.[0] ?? ''}...`);
}

/** The first 40 printable characters of a value, and how many follow; `empty` for none. */
export function receivedText(value: string): string {
  if (value === '') return 'empty';
  const text = withoutCredentials(value.slice(0, lookedAtMax).toWellFormed());
  const characters = [...text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')];
  if (characters.length === 0) return 'only characters that cannot be shown';
  const more = characters.length - charactersMax + Math.max(0, value.length - lookedAtMax);
  return `${characters.slice(0, charactersMax).join('')}${more > 0 ? `... and ${more} more` : ''}`;
}
