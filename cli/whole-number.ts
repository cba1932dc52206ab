/** Reads a whole number of a command line. */

import { wrongUsage } from './failure';

/** @param option its name, for the refusal */
export function wholeNumber(option: string): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(number))
      throw wrongUsage(`${option} takes a whole number, not "${text}".`);
    return number;
  };
}
