/** Makes ids of signers, and derives their secrets from the master secret, so that no table holds one. */

import { createHmac } from 'node:crypto';
import type { Deadline } from '../base/deadline';
import { appendChecksum, type KeyMode, randomCharacters } from './api-key';

const randomLength = 12;
const pattern = new RegExp(`^sg_(?:live|test)_[0-9A-Za-z]{${randomLength}}$`);

export interface SignerServices {
  /** Reads the secret from which the keys of all signers are derived; throws when that fails. */
  readonly readMaster: (deadline: Deadline) => Promise<string>;
}

/** Reads the id of a signer; `undefined` for a text of another form. Only the table knows what was issued. */
export function readSignerId(text: string): string | undefined {
  return pattern.test(text) ? text : undefined;
}

/** Makes an id: `sg_live_` or `sg_test_`, and 12 base-62 characters. */
export function makeSignerId(mode: KeyMode, randomBytes: (n: number) => Uint8Array): string {
  return `sg_${mode}_${randomCharacters(randomLength, randomBytes)}`;
}

/** Derives the 32 bytes with which a signer signs from the master secret of the service. */
export function deriveSignerKey(master: string, id: string): Buffer {
  return createHmac('sha256', master).update(`image-redirect/signer/v1\n${id}`).digest();
}

/** Writes the secret as it is shown once: `sgs_live_` or `sgs_test_`, the bytes in base64url, a checksum. */
export function writeSignerSecret(master: string, id: string): string {
  const mode = id.split('_')[1] as string;
  return appendChecksum(`sgs_${mode}_${deriveSignerKey(master, id).toString('base64url')}`);
}
