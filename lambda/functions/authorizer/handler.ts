/** Finds the caller of a request, and decides which routes and which throttle the caller gets. */

import { createHash, timingSafeEqual } from 'node:crypto';
import middy from '@middy/core';
import type {
  APIGatewayAuthorizerResult,
  APIGatewayRequestAuthorizerEvent,
  PolicyDocument,
} from 'aws-lambda';
import { createDeadline } from '../../base/deadline';
import { edgeHeaders } from '../../contract/edge';
import type { Tier } from '../../contract/plans';
import { routes } from '../../contract/routes';
import { authorizerBudgetMs } from '../../contract/timeouts';
import { authorizeCredential, type CredentialServices } from '../../credentials/authorize';
import { type AuthorizerResult, writeAuthorizerContext } from '../../credentials/caller';
import { readImageCredential, readKeyCredential } from '../../credentials/credential';
import { readHeaderValues } from '../../http/http-request';
import { expandShortNames } from '../../requests/parameter-names';

export interface AuthorizerServices extends Omit<CredentialServices, 'deadline'> {
  readonly tierKeys: Readonly<Record<Tier, string>>;
  /** The SHA-256 of the distribution's secret. Only a service behind a distribution has one. */
  readonly edgeHash?: string | undefined;
}

/** Creates the handler that Lambda calls with the events of a REST API's authorizer. */
export function createAuthorizerHandler(services: AuthorizerServices): AuthorizerHandler {
  const handle = (event: APIGatewayRequestAuthorizerEvent) => {
    const deadline = createDeadline(services.clock.nowMs() + authorizerBudgetMs);
    return authorizeRequest({ ...services, deadline }, event);
  };
  const handler: unknown = middy(handle, { timeoutEarlyInMillis: 0 }).use({
    // After an error, API Gateway responds with AUTHORIZER_FAILURE.
    onError: ({ error }) => services.telemetry.error('A caller was not authorized', error),
  });
  return handler as AuthorizerHandler;
}

type AuthorizerHandler = (event: APIGatewayRequestAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

/** Authorizes the request of an event. An outage allows everything, because a denial would call a valid key invalid. */
async function authorizeRequest(
  services: AuthorizerServices & CredentialServices,
  event: APIGatewayRequestAuthorizerEvent,
): Promise<APIGatewayAuthorizerResult> {
  const { tierKeys, edgeHash } = services;
  const { methodArn, httpMethod } = event;
  const getHeaderValues = (name: string) => readHeaderValues(event, name);
  const query = expandShortNames(event.multiValueQueryStringParameters ?? {});
  const isPreflight = httpMethod === 'OPTIONS';
  // On other routes, the parameters of signed URLs and site keys have no meaning.
  const readCredential = isBelow(routes.image, methodArn) ? readImageCredential : readKeyCredential;
  const credential = isPreflight ? undefined : readCredential({ getHeaderValues, query });
  const result = await authorizeCredential(services, credential);
  const viewerIp = readViewerIp(getHeaderValues, edgeHash);
  return {
    principalId: 'account' in result ? result.account : 'anonymous',
    policyDocument: makePolicy(result, methodArn),
    context: { ...writeAuthorizerContext(result), ...(viewerIp !== undefined && { viewerIp }) },
    // A preflight has no credential. It takes the business tier, because anonymous floods do not reach it.
    usageIdentifierKey: tierKeys[isPreflight ? 'business' : chooseTier(result)],
  };
}

/** Reads the viewer's IP address. The distribution sends its secret to prove that it wrote the address. */
function readViewerIp(
  getHeaderValues: (name: string) => readonly string[],
  edgeHash: string | undefined,
): string | undefined {
  const [secret, ...otherSecrets] = getHeaderValues(edgeHeaders.proof);
  if (edgeHash === undefined || secret === undefined || otherSecrets.length > 0) return undefined;
  const isProof = timingSafeEqual(createHash('sha256').update(secret).digest(), Buffer.from(edgeHash, 'hex'));
  return isProof ? getHeaderValues(edgeHeaders.viewerIp)[0] : undefined;
}

/** Chooses the tier of a caller. Callers without a usable key share the anonymous tier. */
function chooseTier(result: AuthorizerResult): Tier {
  if ('refusal' in result) return 'anonymous';
  return result.kind === 'live' ? result.plan : result.kind;
}

/** Paths with refusals of their own form: cards, RFC 9728 metadata, and errors like OpenAI's. */
const refusingPaths = [routes.image, routes.mcp, '/v1'];

/** Says whether a call is to a path or to one below it. `methodArn` is `arn:…:{api}/{stage}/{method}/{path}`. */
function isBelow(path: string, methodArn: string): boolean {
  const [, , , ...pathParts] = methodArn.split('/');
  return `/${pathParts.join('/')}/`.startsWith(`${path}/`);
}

/**
 * Makes the policy of a caller. An unusable key may only call `refusingPaths`. In an outage, and with several
 * keys, every path may be called, because the API function refuses.
 */
function makePolicy(result: AuthorizerResult, methodArn: string): PolicyDocument {
  const passedOnCodes: readonly string[] = ['service_unavailable', 'conflicting_parameters'];
  if (!('refusal' in result) || passedOnCodes.includes(result.refusal))
    return writePolicy('Allow', methodArn, ['']);
  if (!refusingPaths.some((path) => isBelow(path, methodArn))) return writePolicy('Deny', methodArn, ['']);
  return writePolicy(
    'Allow',
    methodArn,
    refusingPaths.flatMap((path) => [path, `${path}/*`]),
  );
}

/** Writes a policy for every method of some paths, at the stage of a call. */
function writePolicy(Effect: 'Allow' | 'Deny', methodArn: string, paths: readonly string[]): PolicyDocument {
  const [api, stage] = methodArn.split('/');
  const Resource = paths.map((path) => `${api}/${stage}/*${path}`);
  return { Version: '2012-10-17', Statement: [{ Action: 'execute-api:Invoke', Effect, Resource }] };
}
