/** A signer: its public id, and its secret, which is derived from the master secret of the service so that no table holds any. */

import { createHmac } from 'node:crypto';
import { type KeyMode, randomCharacters, withChecksum } from './api-key';

const randomLength = 12;
const form = new RegExp(`^sg_(?:live|test)_[0-9A-Za-z]{${randomLength}}$`);

/** The id in a text of the right form; whether there is such a signer only the table knows. */
export function readSignerId(text: string): string | undefined {
  return form.test(text) ? text : undefined;
}

/** Makes a new id: `sg_live_` or `sg_test_` and 12 base-62 characters. @param randomBytes gives `n` unpredictable bytes */
export function makeSignerId(mode: KeyMode, randomBytes: (n: number) => Uint8Array): string {
  return `sg_${mode}_${randomCharacters(randomLength, randomBytes)}`;
}

/** The 32 bytes with which a signer signs. @param master secret that every signer of the service is derived from */
export function signerKeyOf(master: string, id: string): Buffer {
  return createHmac('sha256', master).update(`image-redirect/signer/v1\n${id}`).digest();
}

/** The signer's secret as it is shown once: `sgs_live_` or `sgs_test_`, the bytes in base64url, a checksum. */
export function signerSecretOf(master: string, id: string): string {
  const mode = id.split('_')[1] as string;
  return withChecksum(`sgs_${mode}_${signerKeyOf(master, id).toString('base64url')}`);
}
