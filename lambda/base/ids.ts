/** Creates ids that nobody can guess. Tests replace the source of ids. */

import { randomBytes } from 'node:crypto';

/** A source of ids and random bytes. */
export interface Ids {
  /** Makes a ULID at a moment. It sorts by time and has 80 random bits. */
  makeUlid(nowMs: number): string;
  makeBytes(count: number): Uint8Array;
  makeHex(bytes: number): string;
}

export const systemIds: Ids = {
  makeUlid: (nowMs) => encodeUlid(nowMs, randomBytes(10)),
  makeBytes: (count) => randomBytes(count),
  makeHex: (bytes) => randomBytes(bytes).toString('hex'),
};

/** The digits of a ULID (https://github.com/ulid/spec). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Encodes a ULID: ten characters for the moment in milliseconds, sixteen for the ten random bytes. */
export function encodeUlid(nowMs: number, random: Uint8Array): string {
  let bits = BigInt(nowMs);
  for (const byte of random) bits = (bits << 8n) | BigInt(byte);
  let text = '';
  for (let i = 0; i < 26; i++) {
    text = (alphabet[Number(bits & 31n)] as string) + text;
    bits >>= 5n;
  }
  return text;
}

/** Parses the moment in a ULID, in milliseconds. */
export function parseUlidTime(ulid: string): number {
  return [...ulid.slice(0, 10)].reduce((ms, character) => ms * 32 + alphabet.indexOf(character), 0);
}
