/** A received value in an error message: short, recognisable, and without credentials. */

import { hideCredentials } from '../base/text';

const charactersMax = 40;
/** Most UTF-16 units of a value that are examined. A caller may send a whole page in place of a word. */
const lookedAtMax = 1_000;

/** Writes the first 40 printable characters, and how many follow. An empty value is called `empty`. */
export function writeReceived(value: string): string {
  if (value === '') return 'empty';
  const text = hideCredentials(value.slice(0, lookedAtMax).toWellFormed());
  const characters = [...text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')];
  if (characters.length === 0) return 'only characters that cannot be shown';
  const leftOut = characters.length - charactersMax + Math.max(0, value.length - lookedAtMax);
  return `${characters.slice(0, charactersMax).join('')}${leftOut > 0 ? `... and ${leftOut} more` : ''}`;
}
