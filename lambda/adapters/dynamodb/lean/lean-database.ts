/** DynamoDB over AWS's own signer and HTTP handler, without the rest of the SDK: for functions whose start must be short. */

import type { IncomingMessage } from 'node:http';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Database } from '../call';
import { answerIn, inputJson } from './answer';
import { errorIn } from './answer-error';
import { httpHandlerFor, type SignedRequest } from './http-handler';
import type { CredentialSource, DynamoDbPlace } from './plain-environment';
import { Sha256 } from './sha256';

export interface LeanDatabaseOptions extends DynamoDbPlace {
  readonly credentials: CredentialSource;
  readonly nowMs: () => number;
}

/** A clock that is off by more is corrected: DynamoDB refuses signatures that are five minutes old. */
const skewMsMax = 240_000;

export interface LeanDatabase extends Database {
  /** Closes the connections. */
  destroy(): void;
}

export function createLeanDatabase(options: LeanDatabaseOptions): LeanDatabase {
  const { region, endpoint, credentials, nowMs } = options;
  const http = httpHandlerFor(endpoint);
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
  let skewMs = 0;

  return {
    async send<Output>(
      { operation, input }: { operation: string; input: object },
      sending: { readonly abortSignal?: AbortSignal } = {},
    ): Promise<Output> {
      const body = inputJson(input);
      const headers = {
        host,
        'content-type': 'application/x-amz-json-1.0',
        'content-length': String(Buffer.byteLength(body)),
        'x-amz-target': `DynamoDB_20120810.${operation}`,
      };
      const signingDate = new Date(nowMs() + skewMs);
      const signed = await signer.sign({ ...target, headers, query: {}, body }, { signingDate });
      const { response } = await http.handle(signed as unknown as SignedRequest, sending);
      const text = typeof response.body === 'string' ? response.body : await textOf(response.body);
      if (response.statusCode === 200) return answerIn(text) as Output;
      const error = errorIn(response, text);
      const serverMs = Date.parse(response.headers['date'] ?? '');
      if (Math.abs(serverMs - signingDate.getTime()) >= skewMsMax) {
        skewMs = serverMs - nowMs();
        error.$metadata.clockSkewCorrected = true;
      }
      throw error;
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
