/** The form of an API key: prefix, 32 random base-62 characters, and a checksum that refuses typos for free. */

import { createHash } from 'node:crypto';
import type { Branded } from '../branded';

/** Lower-case hex SHA-256 of a whole key, made by `hashApiKey` only. */
export type KeyHash = Branded<string, 'KeyHash'>;

export type KeyMode = 'live' | 'test';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const checksumLength = 6;
const form = new RegExp(`^pk_(live|test)_([0-9A-Za-z]{${randomLength + checksumLength}})$`);

/** A key whose form and checksum are right; whether it was ever issued only the table knows. */
export interface WellFormedKey {
  readonly mode: KeyMode;
  /** The only form in which the key is stored. */
  readonly hash: KeyHash;
}

/** Reads a key, or `undefined` when it was mistyped or invented. */
export function readApiKey(text: string): WellFormedKey | undefined {
  const match = form.exec(text);
  if (!match) return undefined;
  const body = text.slice(0, -checksumLength);
  if (text.slice(-checksumLength) !== checksumOf(body)) return undefined;
  return { mode: match[1] as KeyMode, hash: hashApiKey(text) };
}

/**
 * Makes a new key.
 * @param randomBytes gives `n` unpredictable bytes; bytes of 248 and above are skipped, so that every character is
 * equally likely.
 */
export function makeApiKey(mode: KeyMode, randomBytes: (n: number) => Uint8Array): string {
  let random = '';
  while (random.length < randomLength) {
    for (const byte of randomBytes(randomLength)) {
      if (byte < 248 && random.length < randomLength) random += alphabet[byte % 62];
    }
  }
  const body = `pk_${mode}_${random}`;
  return body + checksumOf(body);
}

/** The hash under which a key is stored. */
export function hashApiKey(key: string): KeyHash {
  return createHash('sha256').update(key).digest('hex') as KeyHash;
}

/** First 48 bits of the SHA-256, written as six base-62 characters: one invented key in 57 billion passes. */
function checksumOf(body: string): string {
  let rest = createHash('sha256').update(`checksum:${body}`).digest().readUIntBE(0, 6);
  let text = '';
  for (let i = 0; i < checksumLength; i++) {
    text = (alphabet[rest % 62] as string) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
