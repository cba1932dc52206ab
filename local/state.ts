/** What the local service keeps beside its tables: its secrets, made on the first start. */

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  X509Certificate,
} from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { certificateIn, newCredentials } from '../lib/key-maker/certificates';
import { readKept, writeKept } from './data-folder';

const stateSchema = z
  .object({
    ipHashSecret: z.string().regex(/^[0-9a-f]{64}$/),
    signerSecret: z.string().regex(/^[0-9a-f]{64}$/),
    signingKeyPem: z.string(),
    signingPublicKeyPem: z.string(),
    /** Private key and certificate that sign AI images, as PEM. */
    contentCredentials: z.string(),
    /** The URLs that cached answers hold: the service's own, and those of providers by their names, as they were the last time. */
    url: z.string().optional(),
    endpoints: z.record(z.string(), z.string()).default({}),
  })
  .refine(({ signingKeyPem, signingPublicKeyPem }) => publicKeyOf(signingKeyPem) === signingPublicKeyPem)
  .refine(({ contentCredentials }) => isPair(contentCredentials));

/** The secrets and keys of one data folder, as texts. */
export type LocalState = Readonly<z.infer<typeof stateSchema>>;

const fileIn = (folder: string) => join(folder, 'state.json');
const ifDeleted =
  'the next start creates new secrets; URLs of private images signed before become invalid, and so do all signers';

/** The state of a folder, or a new one. @throws `Failure` when it is damaged */
export async function readState(folder: string | undefined): Promise<LocalState> {
  const kept = folder === undefined ? undefined : readKept(fileIn(folder), stateSchema, ifDeleted);
  if (kept) return kept;
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return {
    ipHashSecret: randomBytes(32).toString('hex'),
    signerSecret: randomBytes(32).toString('hex'),
    contentCredentials: await newCredentials(Date.now()),
    signingKeyPem: privateKey,
    signingPublicKeyPem: publicKey,
    endpoints: {},
  };
}

/** @throws `Failure` */
export function writeState(folder: string | undefined, state: LocalState): void {
  if (folder !== undefined) writeKept(fileIn(folder), state);
}

/** Whether a certificate stands behind its private key. */
function isPair(pem: string): boolean {
  try {
    return new X509Certificate(certificateIn(pem)).checkPrivateKey(createPrivateKey(pem));
  } catch {
    return false;
  }
}

/** `undefined` for what is no private key. */
function publicKeyOf(privateKeyPem: string): string | undefined {
  try {
    return createPublicKey(createPrivateKey(privateKeyPem))
      .export({ type: 'spki', format: 'pem' })
      .toString();
  } catch {
    return undefined;
  }
}
