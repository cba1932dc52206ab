/** Reads the values of options and arguments; each reader throws `Failure` with the usage code for what it refuses. */

import { unlimitedRequests } from '../lambda/contract/plans';
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

/** The monthly limit of one key, in requests. */
export function readMaxPerMonth(text: string): number {
  const requests = wholeNumber('--max-per-month')(text);
  if (requests < 1 || requests >= unlimitedRequests)
    throw wrongUsage(
      `--max-per-month takes a whole number from 1 to ${unlimitedRequests - 1}, not "${text}".`,
    );
  return requests;
}

const nameCharactersMax = 100;

/** The name of a key or an account, trimmed. @param option what the name is for, for the refusal */
export const readName = (option: string) => readText(option, nameCharactersMax);

/** A text of 1 to so many characters, by code points, trimmed. @param option its name, for the refusal */
export function readText(option: string, charactersMax: number): (text: string) => string {
  return (text) => {
    const trimmed = text.trim();
    if (trimmed === '' || [...trimmed].length > charactersMax || /\p{Cc}/u.test(trimmed))
      throw wrongUsage(`${option} takes 1 to ${charactersMax} characters without control characters.`);
    return trimmed;
  };
}

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const durationMsMax = 365 * unitsMs.d;

/**
 * A length of time such as `90s`, `30m`, `24h` or `7d`, in milliseconds.
 * @param option its name, for the refusal
 * @param others which other values the option takes, for the refusal
 */
export function readDuration(option: string, others = ''): (text: string) => number {
  return (text) => {
    const [, digits, unit] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
    const isBare = unit === '' && digits !== '0';
    const ms = Number(digits) * (unitsMs[unit as keyof typeof unitsMs] ?? 1);
    if (digits === undefined || isBare || ms > durationMsMax)
      throw wrongUsage(
        `${option} takes a number with its unit, such as 90s, 30m, 24h or 7d, at most 365d${others}, not "${text}".`,
      );
    return ms;
  };
}
