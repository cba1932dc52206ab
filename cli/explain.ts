/** Turns an error into one line that says what to do, and an exit code. */

import { type ExitCode, exitCodes, Failure } from './failure';

interface Explanation {
  readonly exitCode: ExitCode;
  readonly message: string;
}

/** Where AWS was called, for the message. */
export interface AwsPlace {
  readonly region?: string;
  readonly profile?: string;
  /** Names of the tables that the command reads. */
  readonly tables?: readonly string[];
}

const noRegion = 'No AWS region was named. Set AWS_REGION or pass --region.';

/** What the SDK and the services call credentials that are missing, wrong or over. */
const missingCredentials = new Set(['CredentialsProviderError', 'ProviderError', 'TokenProviderError']);
const expiredCredentials = new Set(['ExpiredToken', 'ExpiredTokenException', 'RequestExpired']);
const refusedCredentials = new Set([
  'InvalidClientTokenId',
  'UnrecognizedClientException',
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'IncompleteSignature',
  'MissingAuthenticationToken',
  'MissingAuthenticationTokenException',
  'AuthFailure',
]);
const deniedPermission =
  /^(AccessDenied|AccessDeniedException|UnauthorizedOperation|NotAuthorized|AuthorizationError|OptInRequired)/;
const throttled = /Thrott|TooManyRequests|RequestLimitExceeded|LimitExceededException|SlowDown/;
const networkFaults =
  /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|TimeoutError|AbortError/;

/**
 * @param place where AWS was called; the environment where it names no profile
 * @returns one line without a stack trace or a key
 */
export function explain(error: unknown, place: AwsPlace = {}): Explanation {
  if (error instanceof Failure) return { exitCode: error.exitCode, message: masked(error.message) };
  if (!(error instanceof Error)) return { exitCode: exitCodes.failed, message: String(error) };
  const message = masked(error.message.split('\n')[0] ?? '');
  return ofCredentials(error, message, place) ?? ofService(error, message, place);
}

/**
 * Does a command's work in AWS; its errors say where they happened.
 * @throws `Failure`
 */
export async function explained<T>(place: AwsPlace, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { exitCode, message } = explain(error, place);
    throw new Failure(exitCode, message, { cause: error });
  }
}

/** What is wrong with the credentials, the region or their permissions; `undefined` where it is something else. */
function ofCredentials({ name }: Error, message: string, place: AwsPlace): Explanation | undefined {
  const profile = place.profile ?? process.env['AWS_PROFILE'];
  const [of, option] = profile ? [` of profile ${profile}`, ` --profile ${profile}`] : ['', ''];
  const signIn = `sign in again ("aws sso login${option}") or name another profile (--profile)`;
  const unreachable = (text: string): Explanation => ({ exitCode: exitCodes.unreachable, message: text });
  if (missingCredentials.has(name)) {
    const searched = profile ? ` for profile ${profile}` : '';
    return unreachable(
      `No usable AWS credentials were found${searched}. Set AWS_PROFILE or pass --profile, or sign in ("aws sso login${option}").`,
    );
  }
  if (expiredCredentials.has(name)) return unreachable(`The AWS credentials${of} have expired: ${signIn}.`);
  if (refusedCredentials.has(name))
    return unreachable(`AWS does not accept the credentials${of} (${name}): ${signIn}.`);
  if (/^Region is missing/.test(message)) return unreachable(noRegion);
  if (!deniedPermission.test(name)) return undefined;
  const [, action, resource] =
    /not authorized to perform: ([\w-]+:\w+)(?:.*? on resource: (\S+))?/.exec(message) ?? [];
  const on = resource === undefined ? '' : ` on ${resource}`;
  const what =
    action === undefined ? `AWS does not allow it: ${message}` : `AWS does not allow ${action}${on}`;
  return unreachable(
    `${what.replace(/\.$/, '')}. Allow it for the credentials${of}, or name another profile (--profile).`,
  );
}

/** What the service or the network has answered. */
function ofService(error: Error, message: string, { region, tables = [] }: AwsPlace): Explanation {
  const { name } = error;
  const within = region === undefined ? '' : ` in ${region}`;
  const named = tables.length === 0 ? '' : ` (${tables.join(' or ')})`;
  if (name === 'ResourceNotFoundException')
    return {
      exitCode: exitCodes.notFound,
      message: /secret/i.test(message)
        ? `A secret of the service is not there${within}. Is it the right region (--region)? If it was deleted, deploy the stack again.`
        : `A table of the service is not there${within}${named}. Is it the right region (--region)? If it was deleted, docs/operate.md describes how to restore it.`,
    };
  const { code = '' } = error as NodeJS.ErrnoException;
  if (networkFaults.test(`${name} ${code} ${message}`))
    return {
      exitCode: exitCodes.unreachable,
      message: `There is no connection: ${message || code || name}. Check the network, and the region (--region) if the host is unknown.`,
    };
  const { httpStatusCode: status } =
    (error as { readonly $metadata?: { readonly httpStatusCode?: number } }).$metadata ?? {};
  if (status === undefined) return { exitCode: exitCodes.failed, message: `${name}: ${message}` };
  const what =
    name === 'Unknown'
      ? ' without naming an error; check the proxy, if there is one'
      : `: ${name}: ${message}`;
  const next = status >= 500 || throttled.test(name) ? ' Run the command again in a minute.' : '';
  return {
    exitCode: exitCodes.failed,
    message: `AWS answered ${status}${within}${what.replace(/\.$/, '')}.${next}`,
  };
}

/** No message may carry a key or the secret of a signer into a log. */
function masked(text: string): string {
  return text.replaceAll(/\b(pk|sgs)_(live|test)_[\w-]+/g, '$1_$2_…');
}
