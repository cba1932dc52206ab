/** The gateway's own responses are problem documents, with the response types that API Gateway knows. */

import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
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

  it.each([
    ['ACCESS_DENIED', 401, 'invalid_api_key'],
    ['UNAUTHORIZED', 401, 'invalid_api_key'],
    ['MISSING_AUTHENTICATION_TOKEN', 404, 'not_found'],
    ['THROTTLED', 429, 'rate_limited'],
    ['BAD_REQUEST_PARAMETERS', 400, 'invalid_parameter'],
    ['INTEGRATION_FAILURE', 503, 'service_unavailable'],
    ['INTEGRATION_TIMEOUT', 503, 'service_unavailable'],
    ['INVALID_API_KEY', 500, 'internal_error'],
    ['AUTHORIZER_FAILURE', 503, 'service_unavailable'],
    ['DEFAULT_5XX', 500, 'internal_error'],
  ] as const)('%s is %d %s', (type, status, code) => {
    expect(gatewayStatus(gatewayResponses[type])).toBe(status);
    expect(gatewayResponses[type].code).toBe(code);
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
        'Cross-Origin-Resource-Policy': 'cross-origin',
      });
      // CloudFormation turns all other characters into question marks.
      expect(gatewayBody(response, 'r', 'https://api.example.org')).toMatch(/^[ -~]+$/);
      // API Gateway wants header values in single quotes, so none may hold one.
      for (const value of Object.values(gatewayHeaders(response))) expect(value).not.toContain("'");
    },
  );

  it.each(all)('%s says when to come back exactly when waiting helps', (_, response) => {
    expect('Retry-After' in gatewayHeaders(response)).toBe([429, 503].includes(gatewayStatus(response)));
  });
});
