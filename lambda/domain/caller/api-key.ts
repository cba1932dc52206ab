/** The form of an API key: prefix, 32 random base-62 characters and a checksum. It is secret, and stored as a hash only. */

import { createHash } from 'node:crypto';
import type { Branded } from '../branded';
import { checksumLength, hasChecksum, randomCharacters, withChecksum } from './token-form';

/** Lower-case hex SHA-256 of a whole key or site key, made by `hashApiKey` only. */
export type KeyHash = Branded<string, 'KeyHash'>;

export type KeyMode = 'live' | 'test';

/** Random characters of a key or site key. */
export const randomLength = 32;
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
