/** What a route answers to methods that no function is asked for: OPTIONS with a preflight, all others with 405. */

import {
  AuthorizationType,
  type IntegrationResponse,
  type IResource,
  MockIntegration,
  PassthroughBehavior,
} from 'aws-cdk-lib/aws-apigateway';
import { preflightHeaders } from '../../lambda/contract/gateway-responses';

/** A media type that no request has. */
const unusedMediaType = 'application/vnd.image-redirect.unused';

const quoted: IntegrationResponse['responseParameters'] = Object.fromEntries(
  Object.entries(preflightHeaders).map(([name, value]) => [`method.response.header.${name}`, `'${value}'`]),
);

/** Adds OPTIONS and ANY; API Gateway answers both by itself, without a key. */
export function addOtherMethods(resource: IResource): void {
  const preflight = new MockIntegration({
    passthroughBehavior: PassthroughBehavior.NEVER,
    requestTemplates: { 'application/json': '{"statusCode": 204}' },
    integrationResponses: [{ statusCode: '204', ...(quoted ? { responseParameters: quoted } : {}) }],
  });
  resource.addMethod('OPTIONS', preflight, {
    authorizationType: AuthorizationType.NONE,
    methodResponses: [
      {
        statusCode: '204',
        responseParameters: Object.fromEntries(Object.keys(quoted ?? {}).map((name) => [name, true])),
      },
    ],
  });
  // A request of every other media type, or of none, ends in the gateway response UNSUPPORTED_MEDIA_TYPE, which says
  // 405: the same document as all the others, without a template in a second language.
  const refusal = new MockIntegration({
    passthroughBehavior: PassthroughBehavior.NEVER,
    requestTemplates: { [unusedMediaType]: '{"statusCode": 405}' },
    integrationResponses: [{ statusCode: '405' }],
  });
  resource.addMethod('ANY', refusal, {
    authorizationType: AuthorizationType.NONE,
    methodResponses: [{ statusCode: '405' }],
  });
}
