/** The gateway's own responses are problem documents, with the response types that API Gateway knows. */

import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { exposedHeaders } from '../../lambda/contract/headers';
import {
  type GatewayResponse,
  gatewayBody,
  gatewayHeaders,
  gatewayResponses,
  gatewayStatus,
} from '../../lambda/http/gateway-responses';
import { problems } from '../../lambda/problems/problem';

const all = Object.entries<GatewayResponse>(gatewayResponses);

describe('an answer of the gateway', () => {
  it.each(all)('%s is of a type that API Gateway has', (type) => {
    expect((ResponseType as unknown as Record<string, { responseType: string }>)[type]?.responseType).toBe(
      type,
    );
  });

  it('has a status, a code and, where waiting helps, the seconds to wait', () => {
    const said = all.map(([type, response]) => {
      const { 'Retry-After': seconds, Allow: methods } = gatewayHeaders(response);
      return [type, [gatewayStatus(response), response.code, seconds ?? methods]];
    });
    expect(Object.fromEntries(said)).toEqual({
      ACCESS_DENIED: [401, 'invalid_api_key', undefined],
      UNAUTHORIZED: [401, 'invalid_api_key', undefined],
      MISSING_AUTHENTICATION_TOKEN: [404, 'not_found', undefined],
      THROTTLED: [429, 'rate_limited', '1'],
      // The firewall counts five minutes.
      WAF_FILTERED: [429, 'rate_limited', '300'],
      REQUEST_TOO_LARGE: [413, 'content_too_large', undefined],
      DEFAULT_4XX: [400, 'invalid_parameter', undefined],
      AUTHORIZER_FAILURE: [503, 'service_unavailable', '5'],
      INTEGRATION_FAILURE: [503, 'service_unavailable', '5'],
      INTEGRATION_TIMEOUT: [503, 'service_unavailable', '5'],
      DEFAULT_5XX: [500, 'internal_error', undefined],
    });
  });

  it.each(all)(
    '%s is a problem document that browser scripts can read and no cache stores',
    (_, response) => {
      expect(JSON.parse(gatewayBody(response, 'r', 'https://api.example.org'))).toEqual({
        type: `https://api.example.org/#${response.code}`,
        title: problems[response.code].title,
        status: gatewayStatus(response),
        detail: response.detail,
        code: response.code,
        requestId: 'r',
      });
      expect(gatewayHeaders(response)).toMatchObject({
        'Content-Type': 'application/problem+json',
        'Cache-Control': 'no-store',
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Expose-Headers': exposedHeaders.join(', '),
        'Cross-Origin-Resource-Policy': 'cross-origin',
      });
      // CloudFormation turns all other characters into question marks.
      expect(gatewayBody(response, 'r', 'https://api.example.org')).toMatch(/^[ -~]+$/);
      // API Gateway wants header values in single quotes, so none may hold one.
      for (const value of Object.values(gatewayHeaders(response))) expect(value).not.toContain("'");
    },
  );

  it.each(all)('%s says how to authenticate exactly where it is 401', (_, response) => {
    expect('WWW-Authenticate' in gatewayHeaders(response)).toBe(gatewayStatus(response) === 401);
  });
});
