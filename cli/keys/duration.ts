/** Reads a length of time as operators write it: `90s`, `30m`, `24h`, `7d`. */

import { wrongUsage } from '../failure';

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const longestMs = 365 * unitsMs.d;

/** In milliseconds. @throws `Failure` with the usage code */
export function readDuration(name: string, text: string): number {
  const [, digits, unit] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  const isBare = unit === '' && digits !== '0';
  const ms = Number(digits) * (unitsMs[unit as keyof typeof unitsMs] ?? 1);
  if (digits === undefined || isBare || ms > longestMs)
    throw wrongUsage(
      `${name} takes a number with its unit, such as 90s, 30m, 24h or 7d, at most 365d, not "${text}".`,
    );
  return ms;
}
