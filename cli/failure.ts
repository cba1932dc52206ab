/** Converts errors into failures of commands. A failure has an exit code for scripts, and one line that says what to do. */

import { hideSecrets } from '../lambda/base/text';

/** An error with an exit code. API keys and signers' secrets in its message are cut. */
export class Failure extends Error {
  override readonly name = 'Failure';
  constructor(
    readonly exitCode: 1 | 2 | 3 | 4 | 5,
    message: string,
  ) {
    super(hideSecrets(message));
  }
}

export const createGeneralFailure = (message: string) => new Failure(1, message);
export const createUsageFailure = (message: string) => new Failure(2, message);
export const createNotFoundFailure = (message: string) => new Failure(3, message);
export const createNotConfirmedFailure = (message: string) => new Failure(4, message);
/** Creates the failure of missing credentials or permission, or of a service that does not respond. */
export const createUnreachableFailure = (message: string) => new Failure(5, message);

const credentialErrors =
  /^(Credentials|Token)?ProviderError|^(Expired|MissingAuthentication)Token|^RequestExpired|Signature|^(InvalidClientTokenId|UnrecognizedClient|AuthFailure)/;
const denials = /^(AccessDenied|UnauthorizedOperation|NotAuthorized|AuthorizationError|OptInRequired)/;
const networkErrors =
  /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|TimeoutError|AbortError/;

/** Converts any error into a failure. */
export function convertToFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (!(error instanceof Error)) return createGeneralFailure(String(error));
  const { name } = error;
  // It has a line for each wrong setting, and needs no name.
  if (name === 'ConfigurationError') return createGeneralFailure(error.message);
  const [firstLine = ''] = error.message.split('\n');
  const message = firstLine.replace(/\.$/, '');
  const outage = explainOutage(error, message);
  if (outage !== undefined) return createUnreachableFailure(outage);
  if (name !== 'ResourceNotFoundException') return createGeneralFailure(`${name}: ${message}.`);
  return createNotFoundFailure(
    'A table or a secret of the service is not there. Is it the right region (--region)? Of a deleted table, AWS keeps a backup for 35 days (aws dynamodb list-backups --backup-type SYSTEM).',
  );
}

/** Explains why AWS cannot be used: credentials, permission, region or network. Other errors give `undefined`. */
function explainOutage({ name, code }: NodeJS.ErrnoException, message: string): string | undefined {
  const profile = process.env['AWS_PROFILE'] ? ` of profile ${process.env['AWS_PROFILE']}` : '';
  if (credentialErrors.test(name))
    return `The AWS credentials${profile} are missing, expired or refused (${name}): sign in again ("aws sso login") or name another profile (--profile).`;
  if (denials.test(name))
    return `AWS does not allow it: ${message}. Allow it for the credentials${profile}, or name another profile (--profile).`;
  if (message === 'Region is missing') return 'No AWS region was named. Set AWS_REGION or pass --region.';
  if (networkErrors.test(`${name} ${code} ${message}`))
    return `There is no connection: ${message || code || name}. Check the network, and the region (--region) if the host is unknown.`;
  return undefined;
}
