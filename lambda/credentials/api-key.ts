/** The form of API keys and site keys: a prefix, 32 random base-62 characters and a checksum. */

import { createHash } from 'node:crypto';

/** Lower-case hex SHA-256 of a key or site key, made by `hashApiKey` only. */
export type KeyHash = string & { readonly brand: 'KeyHash' };

/** Whether a credential spends the quota of its account (`live`) or the hour of test keys. */
export type KeyMode = 'live' | 'test';

/** The first part of a key: an API key (`pk`) is secret, a site key is publishable. */
type KeyPrefix = 'pk' | 'site';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const checksumLength = 6;
const randomLength = 32;
const pattern = new RegExp(`^(pk|site)_(?:live|test)_[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** Hashes a key whose form and checksum are right, else `undefined`: a mistyped key costs no read. */
export function validKeyHash(prefix: KeyPrefix, text: string): KeyHash | undefined {
  if (pattern.exec(text)?.[1] !== prefix) return undefined;
  const body = text.slice(0, -checksumLength);
  return appendChecksum(body) === text ? hashApiKey(text) : undefined;
}

/** Makes a new key from unpredictable bytes, of which `randomBytes` gives `n`. */
export function makeKey(prefix: KeyPrefix, mode: KeyMode, randomBytes: (n: number) => Uint8Array): string {
  return appendChecksum(`${prefix}_${mode}_${randomCharacters(randomLength, randomBytes)}`);
}

/** Computes the hash under which a key is stored. */
export function hashApiKey(key: string): KeyHash {
  return createHash('sha256').update(key).digest('hex') as KeyHash;
}

/** Makes random base-62 characters. Bytes above 247 are skipped, as 62 divides 248. */
export function randomCharacters(length: number, randomBytes: (n: number) => Uint8Array): string {
  let random = '';
  while (random.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && random.length < length) random += alphabet[byte % 62];
    }
  }
  return random;
}

/** Appends the checksum to a text: 48 bits of a SHA-256, which one of 57 billion invented texts passes. */
export function appendChecksum(body: string): string {
  let checksumBits = createHash('sha256').update(`checksum:${body}`).digest().readUIntBE(0, 6);
  let checksum = '';
  for (let i = 0; i < checksumLength; i++) {
    checksum = (alphabet[checksumBits % 62] as string) + checksum;
    checksumBits = Math.floor(checksumBits / 62);
  }
  return body + checksum;
}
