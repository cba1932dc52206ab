/** Resolves the caller of a request, and says which routes it may reach at which throttle. */

import middy from '@middy/core';
import type {
  APIGatewayAuthorizerResult,
  APIGatewayRequestAuthorizerEvent,
  PolicyDocument,
} from 'aws-lambda';
import { createDeadline } from '../../base/deadline';
import type { Tier } from '../../contract/plans';
import { routes } from '../../contract/routes';
import { authorizerBudgetMs } from '../../contract/timeouts';
import { type AuthorizeServices, authorizeCredential } from '../../credentials/authorize';
import { type AuthorizerResult, toAuthorizerContext } from '../../credentials/caller';
import { readImageCredential, readKeyCredential } from '../../credentials/credential';
import { readViewerIp } from '../../http/edge';
import { headerValues } from '../../http/http-request';
import { expandShortNames } from '../../requests/parameter-names';

export interface AuthorizerServices extends Omit<AuthorizeServices, 'deadline'> {
  readonly tierKeys: Readonly<Record<Tier, string>>;
  /** SHA-256 of the secret of the distribution before the API; absent without one. */
  readonly edgeHash?: string | undefined;
}

/** Makes the handler that Lambda calls with the events of a REST API's authorizer. */
export function authorizerHandler(services: AuthorizerServices): AuthorizerHandler {
  const handle = (event: APIGatewayRequestAuthorizerEvent) => {
    const deadline = createDeadline(services.clock.nowMs() + authorizerBudgetMs);
    return decide({ ...services, deadline }, event);
  };
  const handler: unknown = middy(handle, { timeoutEarlyInMillis: 0 }).use({
    // If there is no verdict, API Gateway answers with AUTHORIZER_FAILURE.
    onError: ({ error }) => services.telemetry.error('A caller was not authorized', error),
  });
  return handler as AuthorizerHandler;
}

type AuthorizerHandler = (event: APIGatewayRequestAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

/** Decides the policy for an event. In an outage it allows all: a denial would call a valid key invalid. */
async function decide(
  services: AuthorizerServices & AuthorizeServices,
  event: APIGatewayRequestAuthorizerEvent,
): Promise<APIGatewayAuthorizerResult> {
  const { tierKeys, edgeHash } = services;
  const { methodArn, httpMethod } = event;
  const header = (name: string) => headerValues(event, name);
  const query = expandShortNames(event.multiValueQueryStringParameters ?? {});
  const isPreflight = httpMethod === 'OPTIONS';
  // Elsewhere, the parameters of signed URLs and site keys are unknown ones.
  const readCredential = isBelow(routes.image, methodArn) ? readImageCredential : readKeyCredential;
  const credential = isPreflight ? undefined : readCredential({ header, query });
  const result = await authorizeCredential(services, credential);
  const viewerIp = readViewerIp(header, edgeHash);
  return {
    principalId: 'account' in result ? result.account : 'anonymous',
    policyDocument: makePolicy(result, methodArn),
    context: { ...toAuthorizerContext(result), ...(viewerIp !== undefined && { viewerIp }) },
    // A preflight has no credential: it counts in the business tier, which anonymous floods do not reach.
    usageIdentifierKey: tierKeys[isPreflight ? 'business' : chooseTier(result)],
  };
}

/** Callers without a usable key share the anonymous tier's throttle. */
function chooseTier(result: AuthorizerResult): Tier {
  if ('refusal' in result) return 'anonymous';
  return result.kind === 'live' ? result.plan : result.kind;
}

/** Paths whose function refuses callers: by a card, with the address of metadata, or as OpenAI does. */
const refusingPaths = [routes.image, routes.mcp, '/v1'];

/** Whether a call is for a path or one below it; its ARN is `arn:…:{api}/{stage}/{method}/{path}`. */
function isBelow(path: string, methodArn: string): boolean {
  const [, , , ...called] = methodArn.split('/');
  return `/${called.join('/')}/`.startsWith(`${path}/`);
}

/**
 * Makes the policy of a caller. An unusable key may call the paths whose function refuses it, and nothing else.
 * In an outage, and with several keys, the function behind each path refuses.
 */
function makePolicy(result: AuthorizerResult, methodArn: string): PolicyDocument {
  const passing: readonly string[] = ['service_unavailable', 'conflicting_parameters'];
  if (!('refusal' in result) || passing.includes(result.refusal)) return policyOn('Allow', methodArn, ['']);
  if (!refusingPaths.some((path) => isBelow(path, methodArn))) return policyOn('Deny', methodArn, ['']);
  return policyOn(
    'Allow',
    methodArn,
    refusingPaths.flatMap((path) => [path, `${path}/*`]),
  );
}

/** Writes a policy on every method of paths at the stage of a call. */
function policyOn(Effect: 'Allow' | 'Deny', methodArn: string, paths: readonly string[]): PolicyDocument {
  const [api, stage] = methodArn.split('/');
  const Resource = paths.map((path) => `${api}/${stage}/*${path}`);
  return { Version: '2012-10-17', Statement: [{ Action: 'execute-api:Invoke', Effect, Resource }] };
}
