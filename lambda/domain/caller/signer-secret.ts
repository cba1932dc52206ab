/** Derives the secrets of signers from the master secret of the service, so that no table holds any. */

import { createHmac } from 'node:crypto';
import type { SignerId } from './signer';
import { withChecksum } from './token-form';

/** The 32 bytes with which a signer signs. @param master secret that every signer of the service is derived from */
export function signerKeyOf(master: string, id: SignerId): Buffer {
  return createHmac('sha256', master).update(`image-redirect/signer/v1\n${id}`).digest();
}

/** The signer's secret as it is shown once: `sgs_live_` or `sgs_test_`, the bytes in base64url, a checksum. */
export function signerSecretOf(master: string, id: SignerId): string {
  const mode = id.split('_')[1] as string;
  return withChecksum(`sgs_${mode}_${signerKeyOf(master, id).toString('base64url')}`);
}
