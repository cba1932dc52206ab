/** ULIDs: 26 characters whose order is the order of their time (https://github.com/ulid/spec). */

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Makes a ULID of a moment and random bytes.
 * @param nowMs milliseconds since the epoch, the first ten characters
 * @param random ten bytes, the last sixteen
 */
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

/** The time in a ULID, in milliseconds since the epoch. */
export function timeOfUlid(ulid: string): number {
  return [...ulid.slice(0, 10)].reduce((ms, character) => ms * 32 + alphabet.indexOf(character), 0);
}
