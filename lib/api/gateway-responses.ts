/** Makes API Gateway's own answers problem documents that pages of any origin can read. */

import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  type GatewayResponse,
  gatewayBody,
  gatewayHeaders,
  gatewayResponses,
  gatewayStatus,
} from '../../lambda/http/gateway-responses';
import { pinLogicalId } from '../logical-ids';
import type { Stage } from '../stage';

/**
 * Root of the service in the gateway's names, without a trailing slash.
 * @param edgeUrl URL of the distribution before the API, where there is one
 */
export function rootUrlOf({ apiDomain }: Stage, edgeUrl: string | undefined): string {
  if (edgeUrl !== undefined) return edgeUrl;
  return apiDomain ? `https://${apiDomain.name}` : 'https://$context.domainName/$context.stage';
}

/** @param rootUrl root of the service in the gateway's names, without a trailing slash */
export function addGatewayResponses(api: RestApi, rootUrl: string): void {
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
      templates: { 'application/json': gatewayBody(response, '$context.requestId', rootUrl) },
    });
    pinLogicalId(made, id);
  }
}
