/** Reads the values of options and arguments; each reader throws `Failure` with the usage code for what it refuses. */

import { unlimitedRequests } from '../lambda/contract/plans';
import { wrongUsage } from './failure';

/** The monthly limit of one key, in requests. */
export function readMaxPerMonth(text: string): number {
  const requests = Number(text);
  if (!/^\d+$/.test(text) || requests < 1 || requests >= unlimitedRequests)
    throw wrongUsage(
      `--max-per-month takes a whole number from 1 to ${unlimitedRequests - 1}, not "${text}".`,
    );
  return requests;
}

/** A text of 1 to so many characters, by code points, trimmed. @param option its name, for the refusal */
export function readText(option: string, charactersMax = 100): (text: string) => string {
  return (text) => {
    const trimmed = text.trim();
    if (trimmed === '' || [...trimmed].length > charactersMax || /\p{Cc}/u.test(trimmed))
      throw wrongUsage(`${option} takes 1 to ${charactersMax} characters without control characters.`);
    return trimmed;
  };
}

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A length of time such as `90s`, `30m`, `24h` or `7d`, in milliseconds. @param option its name, for the refusal */
export function readDuration(option: string): (text: string) => number {
  return (text) => {
    const [, digits, unit] = /^(\d{1,9})([smhd])$|^0$/.exec(text) ?? [];
    const ms = text === '0' ? 0 : Number(digits) * unitsMs[unit as keyof typeof unitsMs];
    if (!(ms <= 365 * unitsMs.d))
      throw wrongUsage(
        `${option} takes a number with its unit, such as 90s, 30m, 24h or 7d, at most 365d, not "${text}".`,
      );
    return ms;
  };
}
