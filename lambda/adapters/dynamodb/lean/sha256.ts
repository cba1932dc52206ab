/** SHA-256 and its keyed form from Node.js, in the shape that AWS's signer takes. */

import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';

type Source = string | ArrayBuffer | ArrayBufferView;

export class Sha256 {
  private hash: Hash | Hmac;

  constructor(private readonly secret?: Source) {
    this.hash = start(secret);
  }

  update(data: Uint8Array | string): void {
    this.hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }

  reset(): void {
    this.hash = start(this.secret);
  }
}

function start(secret: Source | undefined): Hash | Hmac {
  if (secret === undefined) return createHash('sha256');
  return createHmac(
    'sha256',
    secret instanceof ArrayBuffer ? new Uint8Array(secret) : (secret as Uint8Array),
  );
}
