/** Writes received values for error messages: short, recognisable, and without credentials. */

import { hideCredentials } from '../base/text';

const charactersMax = 40;
/** The most UTF-16 units that are examined, because a caller may send a whole page in place of a word. */
const examinedMax = 1_000;

/** Writes the first 40 printable characters, and how many follow. An empty value is called `empty`. */
export function writeReceived(value: string): string {
  if (value === '') return 'empty';
  const text = hideCredentials(value.slice(0, examinedMax).toWellFormed());
  const characters = [...text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')];
  if (characters.length === 0) return 'only characters that cannot be shown';
  const restCount = characters.length - charactersMax + Math.max(0, value.length - examinedMax);
  return `${characters.slice(0, charactersMax).join('')}${restCount > 0 ? `... and ${restCount} more` : ''}`;
}
