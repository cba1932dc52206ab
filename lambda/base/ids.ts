/** Ids that nobody can guess, of which tests have their own. */

import { randomBytes } from 'node:crypto';

/** A source of ids and random bytes. */
export interface Ids {
  /** Makes a ULID of the given moment: sortable by time, 80 random bits. */
  ulid(nowMs: number): string;
  bytes(count: number): Uint8Array;
  hex(bytes: number): string;
}

/** Ids from the random source of this machine. */
export const systemIds: Ids = {
  ulid: (nowMs) => createUlid(nowMs, randomBytes(10)),
  bytes: (count) => randomBytes(count),
  hex: (bytes) => randomBytes(bytes).toString('hex'),
};

/** The digits of a ULID: 26 characters whose order is that of their time (https://github.com/ulid/spec). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Makes a ULID: ten characters of a moment, in milliseconds, and sixteen of ten random bytes. */
export function createUlid(nowMs: number, random: Uint8Array): string {
  let bits = BigInt(nowMs);
  for (const byte of random) bits = (bits << 8n) | BigInt(byte);
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = (alphabet[Number(bits & 31n)] as string) + text;
    bits >>= 5n;
  }
  return text;
}

/** Reads the time in a ULID, in milliseconds since the epoch. */
export function readUlidTime(ulid: string): number {
  return [...ulid.slice(0, 10)].reduce((ms, character) => ms * 32 + alphabet.indexOf(character), 0);
}
