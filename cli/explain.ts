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
  /** Names of the tables that commands read. */
  readonly tables?: readonly string[];
}

const { failed, notFound, unreachable } = exitCodes;
const missing = /^(CredentialsProviderError|ProviderError|TokenProviderError)$/;
const refused =
  /^(InvalidClientTokenId|UnrecognizedClient|InvalidSignature|SignatureDoesNotMatch|IncompleteSignature|MissingAuthenticationToken|AuthFailure)/;
const denied =
  /^(AccessDenied|AccessDeniedException|UnauthorizedOperation|NotAuthorized|AuthorizationError|OptInRequired)/;
const network =
  /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|TimeoutError|AbortError/;
const throttled = /Thrott|TooManyRequests|RequestLimitExceeded|LimitExceededException|SlowDown/;

/**
 * @param place where AWS was called; the environment where it names no profile
 * @returns one line without a stack trace or a key
 */
export function explain(error: unknown, { region, profile, tables = [] }: AwsPlace = {}): Explanation {
  if (error instanceof Failure) return { exitCode: error.exitCode, message: masked(error.message) };
  if (!(error instanceof Error)) return { exitCode: failed, message: String(error) };
  const { code = '', $metadata } = error as NodeJS.ErrnoException & {
    readonly $metadata?: { readonly httpStatusCode?: number };
  };
  const message = masked(error.message.split('\n')[0] ?? '');
  const status = $metadata?.httpStatusCode;
  const { name } = error;
  const within = region === undefined ? '' : ` in ${region}`;
  const lacking = withoutRights(name, message, profile ?? process.env['AWS_PROFILE']);
  if (lacking !== undefined) return { exitCode: unreachable, message: lacking };
  if (name === 'ResourceNotFoundException') {
    const what = /secret/i.test(message) ? 'A secret' : 'A table';
    const named = tables.length === 0 ? '' : ` (${tables.join(' or ')})`;
    return {
      exitCode: notFound,
      message: `${what} of the service is not there${within}${named}. Is it the right region (--region)? If it was deleted, docs/operate.md describes how to restore it.`,
    };
  }
  if (network.test(`${name} ${code} ${message}`))
    return {
      exitCode: unreachable,
      message: `There is no connection: ${message || code || name}. Check the network, and the region (--region) if the host is unknown.`,
    };
  if (status === undefined) return { exitCode: failed, message: `${name}: ${message}` };
  const next = status >= 500 || throttled.test(name) ? ' Run the command again in a minute.' : '';
  const answer = `AWS answered ${status}${within}: ${name}: ${message.replace(/\.$/, '')}.${next}`;
  return { exitCode: failed, message: answer };
}

/** What is wrong with the credentials, the region or their permissions; `undefined` where it is something else. */
function withoutRights(name: string, message: string, profile?: string): string | undefined {
  const of = profile ? ` of profile ${profile}` : '';
  const signIn = `sign in again ("aws sso login${profile ? ` --profile ${profile}` : ''}") or name another profile (--profile)`;
  if (missing.test(name)) return `No usable AWS credentials were found${of.replace('of', 'for')}: ${signIn}.`;
  if (/^(ExpiredToken|RequestExpired)/.test(name)) return `The AWS credentials${of} have expired: ${signIn}.`;
  if (refused.test(name)) return `AWS does not accept the credentials${of} (${name}): ${signIn}.`;
  if (/^Region is missing/.test(message)) return 'No AWS region was named. Set AWS_REGION or pass --region.';
  if (!denied.test(name)) return undefined;
  const [, action, resource] =
    /not authorized to perform: ([\w-]+:\w+)(?:.*? on resource: (\S+))?/.exec(message) ?? [];
  const what = action === undefined ? `it: ${message}` : `${action}${resource ? ` on ${resource}` : ''}`;
  return `AWS does not allow ${what.replace(/\.$/, '')}. Allow it for the credentials${of}, or name another profile (--profile).`;
}

/** Does a command's work in AWS; its errors say where they happened. @throws `Failure` */
export async function explained<T>(place: AwsPlace, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { exitCode, message } = explain(error, place);
    throw new Failure(exitCode, message, { cause: error });
  }
}

/** No message may carry a key or the secret of a signer into a log. */
function masked(text: string): string {
  return text.replaceAll(/\b(pk|sgs)_(live|test)_[\w-]+/g, '$1_$2_…');
}
