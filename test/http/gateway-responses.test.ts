/** API Gateway writes its own responses as problem documents. */

import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { exposedHeaders } from '../../lambda/contract/headers';
import { gatewayResponses, writeGatewayResponse } from '../../lambda/http/gateway-responses';

const rows = {
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
} as const;

test('each response that API Gateway makes has a row', () =>
  expect(Object.keys(rows)).toEqual(Object.keys(gatewayResponses)));

test.each(Object.entries(rows))(
  '%s is a problem document that browser scripts can read and no cache stores',
  (type, [status, code, seconds]) => {
    const types = ResponseType as unknown as Record<string, { responseType: string }>;
    expect(types[type]?.responseType).toBe(type);
    const requestFacts = { requestId: 'r', rootUrl: 'https://api.example.org', contact: 'ops@example.org' };
    const answer = writeGatewayResponse(type as keyof typeof rows, requestFacts);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({
      ...{ status, code, requestId: 'r', type: `https://api.example.org/#${code}` },
      title: expect.any(String),
      detail: code === 'invalid_api_key' ? expect.stringContaining('ops@example.org') : expect.any(String),
    });
    expect(answer.headers).toMatchObject({
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': exposedHeaders.join(', '),
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    expect(answer.headers['Retry-After']).toBe(seconds);
    expect('WWW-Authenticate' in answer.headers).toBe(status === 401);
    // CloudFormation turns all other characters into question marks.
    expect(answer.body).toMatch(/^[ -~]+$/);
    // API Gateway wants header values in single quotes, so none may hold one.
    for (const value of Object.values(answer.headers)) expect(value).not.toContain("'");
  },
);

test.each(['INTEGRATION_FAILURE', 'INTEGRATION_TIMEOUT'] as const)(
  'an answer of type %s may follow a charge',
  (type) => expect(writeGatewayResponse(type, { requestId: 'r', rootUrl: '' }).body).not.toContain('charged'),
);
