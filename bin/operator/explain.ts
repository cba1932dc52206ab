/** Turns an error into one line and an exit code. */

import { type ExitCode, exitCodes, Failure } from './failure';

export interface Explanation {
  readonly exitCode: ExitCode;
  readonly message: string;
}

const noCredentials =
  'No usable AWS credentials were found. Set AWS_PROFILE or pass --profile, or sign in ("aws sso login").';
const noRegion = 'No AWS region was named. Set AWS_REGION or pass --region.';

/** What the SDK calls credentials that are missing, wrong or over. */
const credentialFaults = new Set([
  'CredentialsProviderError',
  'ProviderError',
  'TokenProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
  'SignatureDoesNotMatch',
  'AuthFailure',
]);
const networkFaults = /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|TimeoutError|AbortError/;

export function explain(error: unknown): Explanation {
  if (error instanceof Failure) return { exitCode: error.exitCode, message: masked(error.message) };
  if (!(error instanceof Error)) return { exitCode: exitCodes.failed, message: String(error) };
  const message = masked(error.message.split('\n')[0] ?? '');
  if (credentialFaults.has(error.name)) return { exitCode: exitCodes.unreachable, message: noCredentials };
  if (/^Region is missing/.test(message)) return { exitCode: exitCodes.unreachable, message: noRegion };
  if (/^AccessDenied/.test(error.name))
    return { exitCode: exitCodes.unreachable, message: `AWS does not allow it: ${message}` };
  if (error.name === 'ResourceNotFoundException')
    return {
      exitCode: exitCodes.notFound,
      message: 'A table of the service is not there. Is it the right region?',
    };
  if (networkFaults.test(`${error.name} ${(error as NodeJS.ErrnoException).code ?? ''} ${message}`))
    return { exitCode: exitCodes.unreachable, message: `There is no connection: ${message || error.name}` };
  return { exitCode: exitCodes.failed, message: `${error.name}: ${message}` };
}

/** No message may carry a key into a log. */
function masked(text: string): string {
  return text.replaceAll(/pk_(live|test)_\w+/g, 'pk_$1_…');
}
