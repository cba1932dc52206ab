/** What the local service keeps beside its tables: its secrets, made on the first start. */

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LocalState {
  readonly ipHashSecret: string;
  readonly signingKeyPem: string;
  readonly signingPublicKeyPem: string;
  /** The URLs that cached answers hold: the service's own and its fake providers', as they were the last time. */
  readonly addresses?: readonly string[];
}

/** The state of a folder, or a new one. */
export function readState(folder: string | undefined): LocalState {
  const file = folder && join(folder, 'state.json');
  if (file && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as LocalState;
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return {
    ipHashSecret: randomBytes(32).toString('hex'),
    signingKeyPem: privateKey,
    signingPublicKeyPem: publicKey,
  };
}

/** Keeps the state, readable by its owner only. */
export function writeState(folder: string | undefined, state: LocalState): void {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'state.json'), `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
}
