/** A signer: its public id, and its secret, which is derived from the master secret of the service so that no table holds any. */

import { createHmac } from 'node:crypto';
import type { Branded } from '../base/branded';
import { type KeyMode, randomCharacters, withChecksum } from './api-key';

/** `sg_live_` or `sg_test_` and 12 base-62 characters, made by `makeSignerId`, `readSignerId` and `signerIdOf` only. */
export type SignerId = Branded<string, 'SignerId'>;

const randomLength = 12;
const form = new RegExp(`^sg_(?:live|test)_[0-9A-Za-z]{${randomLength}}$`);

/** The id in a text of the right form; whether there is such a signer only the table knows. */
export function readSignerId(text: string): SignerId | undefined {
  return form.test(text) ? (text as SignerId) : undefined;
}

/** @throws `RangeError` when the text is no id of a signer */
export function signerIdOf(text: string): SignerId {
  const id = readSignerId(text);
  if (id !== undefined) return id;
  throw new RangeError('This is no id of a signer');
}

/** Makes a new id. @param randomBytes gives `n` unpredictable bytes */
export function makeSignerId(mode: KeyMode, randomBytes: (n: number) => Uint8Array): SignerId {
  return `sg_${mode}_${randomCharacters(randomLength, randomBytes)}` as SignerId;
}

/** The 32 bytes with which a signer signs. @param master secret that every signer of the service is derived from */
export function signerKeyOf(master: string, id: SignerId): Buffer {
  return createHmac('sha256', master).update(`image-redirect/signer/v1\n${id}`).digest();
}

/** The signer's secret as it is shown once: `sgs_live_` or `sgs_test_`, the bytes in base64url, a checksum. */
export function signerSecretOf(master: string, id: SignerId): string {
  const mode = id.split('_')[1] as string;
  return withChecksum(`sgs_${mode}_${signerKeyOf(master, id).toString('base64url')}`);
}
