/** Carries the calls of the lean transport to DynamoDB: signed, over connections; or to an engine in the same process. */

import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import type { CredentialSource, DynamoDbPlace } from './plain-environment';

/** One call: an operation and its input in DynamoDB's JSON. */
export interface Call {
  readonly operation: string;
  readonly body: string;
  /** The time that the call is signed for. */
  readonly signingDate: Date;
  readonly abortSignal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  readonly statusCode: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Carrier {
  /** Carries a call once. Rejects when its signal is aborted, or the connection ends before the answer. */
  carry(call: Call): Promise<HttpAnswer>;
  /** Closes the connections. */
  destroy(): void;
}

/** Engines in this process, by the origin of their endpoint. */
const inProcess = new Map<string, Carrier>();

/**
 * Hands the calls to an endpoint to an engine in this process: for transports that are created from now on. There is no
 * such endpoint in Lambda.
 * @returns ends it
 */
export function carryInProcess(endpoint: string, carrier: Carrier): () => void {
  const { origin } = new URL(endpoint);
  inProcess.set(origin, carrier);
  return () => void inProcess.delete(origin);
}

export function carrierTo(place: DynamoDbPlace, credentials: CredentialSource): Carrier {
  return inProcess.get(place.endpoint.origin) ?? createSigningCarrier(place, credentials);
}

function createSigningCarrier({ region, endpoint }: DynamoDbPlace, credentials: CredentialSource): Carrier {
  const http = new NodeHttpHandler();
  const signer = new SignatureV4({
    service: 'dynamodb',
    region,
    credentials,
    sha256: Sha256,
    // The hash of the body stands in the signature already.
    applyChecksum: false,
  });
  const { protocol, hostname, port, host, pathname } = endpoint;
  const target = {
    method: 'POST',
    protocol,
    hostname,
    path: pathname.endsWith('/') ? pathname : `${pathname}/`,
    ...(port ? { port: Number(port) } : {}),
  };
  return {
    async carry({ operation, body, signingDate, abortSignal }) {
      const headers = {
        host,
        'content-type': 'application/x-amz-json-1.0',
        'content-length': String(Buffer.byteLength(body)),
        'x-amz-target': `DynamoDB_20120810.${operation}`,
      };
      const signed = await signer.sign({ ...target, headers, query: {}, body }, { signingDate });
      const sending = abortSignal ? { abortSignal } : {};
      const { response } = await http.handle(signed as Parameters<NodeHttpHandler['handle']>[0], sending);
      const text = await textOf(response.body as IncomingMessage);
      return { statusCode: response.statusCode, headers: response.headers, text };
    },
    destroy: () => http.destroy(),
  };
}

/** @throws when the connection ends before the answer does */
function textOf(body: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    body.setEncoding('utf8');
    body.on('data', (part: string) => {
      text += part;
    });
    body.once('end', () => resolve(text));
    body.once('error', reject);
  });
}

type Source = string | ArrayBuffer | ArrayBufferView;

/** SHA-256 and its keyed form from Node.js, in the shape that AWS's signer takes. */
class Sha256 {
  private hash: Hash | Hmac;

  constructor(private readonly secret?: Source) {
    this.hash = hashWith(secret);
  }

  update(data: Uint8Array | string): void {
    this.hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }

  reset(): void {
    this.hash = hashWith(this.secret);
  }
}

function hashWith(secret: Source | undefined): Hash | Hmac {
  if (secret === undefined) return createHash('sha256');
  return createHmac('sha256', typeof secret === 'string' ? secret : keyOf(secret));
}

/** The signer keeps its key for a day. Node.js takes a key object in a fifth of the time that it takes bytes. */
const keys = new WeakMap<object, KeyObject>();

function keyOf(secret: ArrayBuffer | ArrayBufferView): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  const bytes =
    secret instanceof ArrayBuffer
      ? new Uint8Array(secret)
      : new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength);
  const key = createSecretKey(bytes);
  keys.set(secret, key);
  return key;
}
