/** Reads the name of a key or an account as operators write it. */

import { wrongUsage } from '../failure';

const nameCharactersMax = 100;

/** @param option what the name was given for, for the refusal @throws `Failure` with the usage code */
export function readName(option: string, text: string): string {
  const name = text.trim();
  if (name === '' || [...name].length > nameCharactersMax || /\p{Cc}/u.test(name))
    throw wrongUsage(`${option} takes 1 to ${nameCharactersMax} characters without control characters.`);
  return name;
}
