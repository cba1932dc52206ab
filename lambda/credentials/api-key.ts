/** The form of API keys and site keys: a prefix, 32 random base-62 characters and a checksum. */

import { createHash } from 'node:crypto';

/** The SHA-256 of a key or site key in lower-case hex. Only `hashApiKey` makes one. */
export type KeyHash = string & { readonly brand: 'KeyHash' };

/** `live` credentials spend the quota of their account. `test` credentials spend an hourly limit. */
export type KeyMode = 'live' | 'test';

/** The first part of a key. API keys (`pk`) are secret, site keys are publishable. */
type KeyPrefix = 'pk' | 'site';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const checksumLength = 6;
const randomLength = 32;
const pattern = new RegExp(`^(pk|site)_(?:live|test)_[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** Hashes a key. A wrong form or checksum gives `undefined`, so that a mistyped key costs no read. */
export function hashValidKey(prefix: KeyPrefix, text: string): KeyHash | undefined {
  if (pattern.exec(text)?.[1] !== prefix) return undefined;
  const body = text.slice(0, -checksumLength);
  return appendChecksum(body) === text ? hashApiKey(text) : undefined;
}

/** Makes a key. `randomBytes` returns `n` unpredictable bytes. */
export function makeKey(prefix: KeyPrefix, mode: KeyMode, randomBytes: (n: number) => Uint8Array): string {
  return appendChecksum(`${prefix}_${mode}_${makeRandomCharacters(randomLength, randomBytes)}`);
}

/** Hashes a key. It is stored under this hash. */
export function hashApiKey(key: string): KeyHash {
  return createHash('sha256').update(key).digest('hex') as KeyHash;
}

/** Makes random base-62 characters. Bytes above 247 are skipped, because 62 divides 248 and not 256. */
export function makeRandomCharacters(length: number, randomBytes: (n: number) => Uint8Array): string {
  let random = '';
  while (random.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && random.length < length) random += alphabet[byte % 62];
    }
  }
  return random;
}

/** Appends a checksum: 48 bits of a SHA-256. One of 57 billion invented texts has the right one. */
export function appendChecksum(body: string): string {
  let checksumBits = createHash('sha256').update(`checksum:${body}`).digest().readUIntBE(0, 6);
  let checksum = '';
  for (let i = 0; i < checksumLength; i++) {
    checksum = (alphabet[checksumBits % 62] as string) + checksum;
    checksumBits = Math.floor(checksumBits / 62);
  }
  return body + checksum;
}
