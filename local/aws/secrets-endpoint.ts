/** Secrets Manager's GetSecretValue on the local machine, answered from a map. */

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf } from '../body-of';

/** Answers a request that has `X-Amz-Target: secretsmanager.…`. */
export type SecretsEndpoint = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Longest request, in bytes: it holds the name of one secret. */
const bodyBytesMax = 65_536;

/** @param read the value of a secret by its name, read again for every request, or `undefined` */
export function createSecretsEndpoint(read: (secretId: string) => string | undefined): SecretsEndpoint {
  return async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    if (request.headers['x-amz-target'] !== 'secretsmanager.GetSecretValue')
      return void answer(400, { __type: 'UnknownOperationException' });
    const secretId = secretIdOf((await bodyOf(request, bodyBytesMax))?.toString() ?? '');
    if (secretId === undefined)
      return void answer(400, { __type: 'InvalidParameterException', Message: 'SecretId is missing.' });
    const value = read(secretId);
    if (value === undefined)
      return void answer(400, {
        __type: 'ResourceNotFoundException',
        Message: "Secrets Manager can't find the specified secret.",
      });
    const versionId = createHash('sha256').update(value).digest('hex').slice(0, 32);
    return void answer(200, {
      ARN: `arn:aws:secretsmanager:local:000000000000:secret:${secretId}`,
      Name: secretId,
      SecretString: value,
      VersionId: versionId,
      VersionStages: ['AWSCURRENT'],
    });
  };
}

function secretIdOf(body: string): string | undefined {
  try {
    const { SecretId } = JSON.parse(body) as { readonly SecretId?: unknown };
    return typeof SecretId === 'string' && SecretId !== '' ? SecretId : undefined;
  } catch {
    return undefined;
  }
}
