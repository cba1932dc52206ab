/** What API keys, site keys and signers are written in: random base-62 characters and a checksum that refuses typos for free. */

import { createHash } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Characters of a checksum. */
export const checksumLength = 6;

/**
 * Random base-62 characters.
 * @param randomBytes gives `n` unpredictable bytes; bytes of 248 and above are skipped, so that every character is
 * equally likely.
 */
export function randomCharacters(length: number, randomBytes: (n: number) => Uint8Array): string {
  let random = '';
  while (random.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && random.length < length) random += alphabet[byte % 62];
    }
  }
  return random;
}

/** A text with its checksum behind it. */
export function withChecksum(body: string): string {
  return body + checksumOf(body);
}

/** Whether a text ends with the checksum of what stands before it. */
export function hasChecksum(text: string): boolean {
  return text.slice(-checksumLength) === checksumOf(text.slice(0, -checksumLength));
}

/** First 48 bits of the SHA-256, written as six base-62 characters: one invented text in 57 billion passes. */
function checksumOf(body: string): string {
  let rest = createHash('sha256').update(`checksum:${body}`).digest().readUIntBE(0, 6);
  let text = '';
  for (let i = 0; i < checksumLength; i++) {
    text = (alphabet[rest % 62] as string) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
