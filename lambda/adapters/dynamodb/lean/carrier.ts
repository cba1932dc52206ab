/** Carries the calls of the lean transport to DynamoDB: signed, over connections; or to an engine in the same process. */

import type { IncomingMessage } from 'node:http';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import type { CredentialSource, DynamoDbPlace } from './plain-environment';
import { Sha256 } from './sha256';

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
