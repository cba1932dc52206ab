/** Reads the vectors of signed URLs for tests. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Vector {
  readonly name: string;
  /** Id of the signer. */
  readonly signer: string;
  readonly url: string;
  readonly expires?: string;
  readonly canonical: string;
  readonly signature: string;
  readonly signed: string;
}

interface VectorFile {
  readonly master: string;
  readonly signers: readonly { readonly id: string; readonly secret: string; readonly keyHex: string }[];
  readonly vectors: readonly Vector[];
}

const path = join(__dirname, '../vectors/signed-urls.json');
export const { master, signers, vectors } = JSON.parse(readFileSync(path, 'utf8')) as VectorFile;

/** The secret of a signer of the vectors. */
export function getSecret(id: string): string {
  const signer = signers.find((one) => one.id === id);
  if (!signer) throw new Error(`no signer ${id}`);
  return signer.secret;
}
