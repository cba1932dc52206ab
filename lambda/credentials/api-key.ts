/** The form of an API key: prefix, random base-62 characters and a checksum, in which site keys and signers are written too. */

import { createHash } from 'node:crypto';
import type { Branded } from '../base/branded';

/** Lower-case hex SHA-256 of a whole key or site key, made by `hashApiKey` only. */
export type KeyHash = Branded<string, 'KeyHash'>;

/** Whether a credential spends its account's quota (`live`) or the hour of test keys. */
export type KeyMode = 'live' | 'test';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Characters of a checksum. */
export const checksumLength = 6;

/** Random characters of a key or site key. */
export const randomLength = 32;
const form = new RegExp(`^pk_(live|test)_([0-9A-Za-z]{${randomLength + checksumLength}})$`);

/** A key whose form and checksum are right: typos are refused for free, and whether it was ever issued only the table knows. */
export interface WellFormedKey {
  readonly mode: KeyMode;
  /** The only form in which the key is stored. */
  readonly hash: KeyHash;
}

/** Reads a key, or `undefined` when it was mistyped or invented. */
export function readApiKey(text: string): WellFormedKey | undefined {
  const match = form.exec(text);
  if (!match || !hasChecksum(text)) return undefined;
  return { mode: match[1] as KeyMode, hash: hashApiKey(text) };
}

/** Makes a new key. @param randomBytes gives `n` unpredictable bytes */
export function makeApiKey(mode: KeyMode, randomBytes: (n: number) => Uint8Array): string {
  return withChecksum(`pk_${mode}_${randomCharacters(randomLength, randomBytes)}`);
}

/** The hash under which a key is stored. */
export function hashApiKey(key: string): KeyHash {
  return createHash('sha256').update(key).digest('hex') as KeyHash;
}

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
