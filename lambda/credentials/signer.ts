/** Signers: their ids, and their secrets. No table holds a secret: each is derived from the master secret. */

import { createHmac } from 'node:crypto';
import type { Deadline } from '../base/deadline';
import { appendChecksum, type KeyMode, makeRandomCharacters } from './api-key';

const randomLength = 12;
const pattern = new RegExp(`^sg_(?:live|test)_[0-9A-Za-z]{${randomLength}}$`);

export interface SignerServices {
  /** Reads the master secret. Throws if that fails. */
  readonly readMaster: (deadline: Deadline) => Promise<string>;
}

/** Parses the id of a signer. Another text gives `undefined`. Only the table knows which ids were issued. */
export function parseSignerId(text: string): string | undefined {
  return pattern.test(text) ? text : undefined;
}

/** Makes an id: `sg_live_` or `sg_test_`, and 12 base-62 characters. */
export function makeSignerId(mode: KeyMode, randomBytes: (n: number) => Uint8Array): string {
  return `sg_${mode}_${makeRandomCharacters(randomLength, randomBytes)}`;
}

/** Derives the key of a signer from the master secret: 32 bytes. */
export function deriveSignerKey(master: string, id: string): Buffer {
  return createHmac('sha256', master).update(`image-redirect/signer/v1\n${id}`).digest();
}

/** Writes the secret of a signer: `sgs_live_` or `sgs_test_`, the key in base64url, and a checksum. */
export function writeSignerSecret(master: string, id: string): string {
  const mode = id.split('_')[1] as string;
  return appendChecksum(`sgs_${mode}_${deriveSignerKey(master, id).toString('base64url')}`);
}
