/** What API Gateway answers by itself: its own errors as problem documents, preflights, and 405 for all other methods. */

import {
  AuthorizationType,
  ContentHandling,
  type IntegrationResponse,
  type IResource,
  MockIntegration,
  PassthroughBehavior,
  ResponseType,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { functionMethods } from '../../lambda/contract/routes';
import {
  answeredMediaTypes,
  type GatewayResponse,
  gatewayBody,
  gatewayHeaders,
  gatewayResponses,
  gatewayStatus,
  preflightHeadersFor,
  refusalHeadersFor,
} from '../../lambda/http/gateway-responses';
import { pinLogicalId } from '../resources';
import type { Stage } from '../stage';

/** The templates read text, and the API takes every body for binary. */
const contentHandling = ContentHandling.CONVERT_TO_TEXT;

/** A media type that no request has. */
const unusedMediaType = 'application/vnd.image-redirect.unused';

/** The same template for every media type that the gateway has an answer for. */
const templates = (template: string): Record<string, string> =>
  Object.fromEntries(answeredMediaTypes.map((mediaType) => [mediaType, template]));

type Parameters = NonNullable<IntegrationResponse['responseParameters']>;

function quoted(headers: Readonly<Record<string, string>>): Parameters {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, `'${value}'`]),
  );
}

const named = (parameters: Parameters) =>
  Object.fromEntries(Object.keys(parameters).map((name) => [name, true]));

/**
 * Adds OPTIONS and ANY; API Gateway answers both by itself, without a key.
 * @param methods that the function answers
 * @param rootUrl root of the service in the gateway's names, without a trailing slash
 */
export function addOtherMethods(resource: IResource, methods: readonly string[], rootUrl: string): void {
  const allowed = [...methods, 'OPTIONS'];
  const headers = quoted(preflightHeadersFor(allowed));
  const preflight = new MockIntegration({
    passthroughBehavior: PassthroughBehavior.NEVER,
    contentHandling,
    requestTemplates: templates('{"statusCode": 204}'),
    integrationResponses: [{ statusCode: '204', responseParameters: headers }],
  });
  resource.addMethod('OPTIONS', preflight, {
    authorizationType: AuthorizationType.NONE,
    methodResponses: [{ statusCode: '204', responseParameters: named(headers) }],
  });
  const hasOwnMethods = methods.join() !== functionMethods.join();
  const refusalHeaders = hasOwnMethods ? quoted(refusalHeadersFor(allowed)) : {};
  const body = gatewayBody(gatewayResponses.UNSUPPORTED_MEDIA_TYPE, '$context.requestId', rootUrl, {
    allow: allowed,
  });
  // A request of a media type without a template ends in the gateway response UNSUPPORTED_MEDIA_TYPE, which says 405: the
  // same document as all the others, without a template in a second language.
  const refusal = new MockIntegration({
    passthroughBehavior: PassthroughBehavior.NEVER,
    contentHandling,
    // The gateway response names the methods of most routes; a route with others says them itself.
    requestTemplates: hasOwnMethods
      ? templates('{"statusCode": 405}')
      : { [unusedMediaType]: '{"statusCode": 405}' },
    integrationResponses: [
      hasOwnMethods
        ? {
            statusCode: '405',
            responseParameters: refusalHeaders,
            responseTemplates: { 'application/json': body },
          }
        : { statusCode: '405' },
    ],
  });
  resource.addMethod('ANY', refusal, {
    authorizationType: AuthorizationType.NONE,
    methodResponses: [{ statusCode: '405', responseParameters: named(refusalHeaders) }],
  });
}

/**
 * Root of the service in the gateway's names, without a trailing slash.
 * @param edgeUrl URL of the distribution before the API, where there is one
 */
export function rootUrlOf({ apiDomain }: Stage, edgeUrl: string | undefined): string {
  if (edgeUrl !== undefined) return edgeUrl;
  return apiDomain ? `https://${apiDomain.name}` : 'https://$context.domainName/$context.stage';
}

/**
 * Makes errors of API Gateway problem documents that pages of any origin can read.
 * @param rootUrl root of the service in the gateway's names, without a trailing slash
 * @param contact where the operator is reached; absent where none is set
 */
export function addGatewayResponses(api: RestApi, rootUrl: string, contact: string | undefined): void {
  for (const [type, response] of Object.entries<GatewayResponse>(gatewayResponses)) {
    const id = `${type.toLowerCase().replace(/(^|_)([a-z0-9])/g, (_, __, letter) => letter.toUpperCase())}Response`;
    const made = api.addGatewayResponse(id, {
      type: ResponseType.of(type),
      statusCode: String(gatewayStatus(response)),
      // API Gateway wants static values in single quotes.
      responseHeaders: Object.fromEntries(
        Object.entries(gatewayHeaders(response)).map(([name, value]) => [name, `'${value}'`]),
      ),
      // Only the template for application/json is sure to be used, whatever the caller accepts.
      templates: { 'application/json': gatewayBody(response, '$context.requestId', rootUrl, { contact }) },
    });
    pinLogicalId(made, id);
  }
}
