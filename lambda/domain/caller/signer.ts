/** The form of a signer's id, which is public and part of every URL that the signer signs. */

import type { Branded } from '../branded';
import type { KeyMode } from './api-key';
import { randomCharacters } from './token-form';

/** `sg_live_` or `sg_test_` and 12 base-62 characters, made by `makeSignerId` and `readSignerId` only. */
export type SignerId = Branded<string, 'SignerId'>;

const randomLength = 12;
const form = new RegExp(`^sg_(?:live|test)_[0-9A-Za-z]{${randomLength}}$`);

/** The id in a text of the right form; whether there is such a signer only the table knows. */
export function readSignerId(text: string): SignerId | undefined {
  return form.test(text) ? (text as SignerId) : undefined;
}

/** Makes a new id. @param randomBytes gives `n` unpredictable bytes */
export function makeSignerId(mode: KeyMode, randomBytes: (n: number) => Uint8Array): SignerId {
  return `sg_${mode}_${randomCharacters(randomLength, randomBytes)}` as SignerId;
}
