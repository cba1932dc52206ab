/** Tests that the OpenAPI document is complete, and describes the responses of the service. */

import { computeMonthWindow } from '../../lambda/base/window';
import { exposedHeaders } from '../../lambda/contract/headers';
import { parameterNames, permalinkParameters } from '../../lambda/contract/parameters';
import { routes } from '../../lambda/contract/routes';
import { apiRoutes } from '../../lambda/functions/api/handler';
import { makeImageResponse } from '../../lambda/functions/api/image-response';
import {
  type GatewayResponseType,
  gatewayResponses,
  writeGatewayResponse,
} from '../../lambda/http/gateway-responses';
import { makeProblemResponse } from '../../lambda/http/problem-response';
import type { ServedImage } from '../../lambda/images/image';
import { makeImageRecord } from '../../lambda/pages/image-record';
import { parseBatch } from '../../lambda/pages/parse-batch';
import type { RateLimitStatus, Refusal } from '../../lambda/problems/problem';
import type { UsageDocument } from '../../lambda/quota/usage/usage-schema';
import { makeDeliveryUrl, servedImage, webpPlaceholder } from '../fakes/values';
import {
  createBodyValidator,
  createComponentValidator,
  document,
  getOperation,
  operations,
} from './operations';

const nowMs = Date.UTC(2026, 10, 21);
const rateLimit: RateLimitStatus = { limit: 1_000, remaining: 10, window: computeMonthWindow(nowMs) };
const imagePaths = [routes.image, '/api/image/{spec}', routes.permalink];

/** Returns true for routes without an operation: catch-all routes, and the route of one model. */
const isUndescribed = (path: string) =>
  [routes.otherPath, routes.openAi, routes.model].some((route) => route === path);

test('openapi.json describes every route of the API with its methods', () => {
  const describedRoutes = operations.map(({ path, method }) => `${method} ${path}`).sort();
  const expectedRoutes = Object.entries(apiRoutes).flatMap(([path, byMethod]) =>
    isUndescribed(path)
      ? []
      : Object.keys(byMethod).map((method) => `${method.toLowerCase()} ${path.replace('+', '')}`),
  );
  expect(describedRoutes).toEqual(expectedRoutes.sort());
});

test('in openapi.json, only single images, documents and MCP work without a key', () => {
  const schemesByRoute = operations.map(({ method, path, operation: { security } }) => {
    return [`${method} ${path}`, security.map((scheme) => Object.keys(scheme)[0])] as const;
  });
  const keySchemes = ['bearerKey', 'headerKey', 'queryKey'];
  const pages = [routes.docs, routes.accountPage, routes.openApi, routes.llms].map((path) => `get ${path}`);
  const keylessRoutes = [...imagePaths.map((path) => `get ${path}`), `post ${routes.mcp}`];
  for (const [route, schemes] of schemesByRoute) {
    const isOptional = [...keylessRoutes, ...pages].includes(route);
    const expected = [...(isOptional ? [undefined] : []), ...(pages.includes(route) ? [] : keySchemes)];
    expect([route, schemes]).toEqual([route, expected]);
  }
});

test('openapi.json names the exact codes of every route', () => {
  const commonCodes = 'rate_limited service_unavailable internal_error invalid_parameter content_too_large';
  const keyedCodes = `${commonCodes} conflicting_parameters invalid_api_key`;
  const holderCodes = `${keyedCodes} authentication_required credential_not_allowed`;
  const imageCodes = `${keyedCodes} image_removed quota_exceeded upstream_unavailable generation_in_progress no_image_found
      content_refused generation_paused invalid_signature invalid_site_key origin_not_allowed`;
  const batchCodes = `${holderCodes} unsupported_media_type`;
  const listCodes = (method: string, path: string): string => {
    if (path === routes.permalink) return `${imageCodes} not_found credential_not_allowed`;
    if (path.startsWith(routes.image) && path !== routes.images)
      return `${imageCodes} authentication_required link_expired`;
    if (path.startsWith(routes.keys))
      return `${batchCodes} not_found origin_not_allowed last_owner too_many_keys`;
    if (path === routes.usage) return holderCodes;
    if (path === routes.mcp) return `${keyedCodes} unsupported_media_type credential_not_allowed`;
    if (method === 'post' || path === routes.models) return batchCodes;
    return commonCodes;
  };
  for (const { method, path, responses } of operations) {
    const codes = Object.values(responses).flatMap(({ content }) => {
      const problem = JSON.stringify(content?.['application/problem+json'] ?? {});
      return JSON.parse(/"enum":(\[[^\]]*\])/.exec(problem)?.[1] ?? '[]') as string[];
    });
    expect([method, path, codes.sort()]).toEqual([method, path, listCodes(method, path).split(/\s+/).sort()]);
  }
});

test('the path parameters of openapi.json accept values like their examples', () => {
  const accepts = (name: string, text: string) => createComponentValidator('parameters', name)(text);
  expect(accepts('spec', '1200x800-mountain-lake')).toBe(true);
  expect(['a'.repeat(31), 'a'.repeat(32), 'a'.repeat(33)].map((id) => accepts('id', id))).toEqual([
    ...[false, true, false],
  ]);
  expect([accepts('keyId', 'key_live_0123456789ab'), accepts('keyId', 'a/b')]).toEqual([true, false]);
});

test('openapi.json requires the body of each operation that needs one', () => {
  const bodies = operations.flatMap(({ operation: { operationId, requestBody } }) =>
    requestBody ? [[operationId, requestBody.required]] : [],
  );
  expect(Object.fromEntries(bodies)).toEqual({
    ...{ findImages: true, fillPage: true, callMcp: true, generateImages: true },
    ...{ createKey: true, renameKey: true, rotateKey: false },
  });
});

test('openapi.json lists the parameters of the path before those of the query', () => {
  const listParameterNames = (path: string) => getOperation(path, 'get').parameters.map(({ name }) => name);
  const queryParameters = parameterNames.filter((name) => !/^(query|width|height|api_key)$/.test(name));
  expect(listParameterNames('/api/image/{spec}')).toEqual(['spec', ...queryParameters]);
  expect(listParameterNames(routes.permalink)).toEqual([
    'id',
    ...permalinkParameters.filter((name) => name !== 'api_key'),
  ]);
});

test('openapi.json describes the errors of API Gateway itself', () => {
  for (const type of Object.keys(gatewayResponses) as GatewayResponseType[]) {
    const answer = writeGatewayResponse(type, { requestId: 'id', rootUrl: 'https://img.example' });
    const problem = JSON.parse(answer.body);
    // These are for requests that match no operation, or a function sends the same error.
    if (['not_found', 'invalid_api_key', 'method_not_allowed'].includes(problem.code)) continue;
    for (const { path, method, responses } of operations)
      expect([path, method, Object.keys(responses)]).toEqual([
        path,
        method,
        expect.arrayContaining([String(answer.status)]),
      ]);
    expect(createComponentValidator('schemas', 'Problem')(problem)).toBe(true);
  }
});

test('openapi.json describes every header that scripts may read', () => {
  const names = Object.keys(document.components.headers);
  expect(names).toEqual(expect.arrayContaining([...exposedHeaders]));
});

test.each(imagePaths)('openapi.json describes the body and headers of an image of %s', (path) => {
  for (const asJson of [true, false]) {
    const image: ServedImage = {
      location: makeDeliveryUrl('https://cdn.example/a.jpg'),
      widthPx: 800,
      heightPx: 600,
      source: 'stock_b',
      attribution: servedImage.attribution,
      placeholder: webpPlaceholder,
    };
    const imageBaseUrl = 'https://cdn.example';
    const context = { cache: 'MISS', rootUrl: 'https://img.example', imageBaseUrl, nowMs } as const;
    const answer = makeImageResponse(
      {
        ...{ config: { IMAGE_BASE_URL: 'https://cdn.example' }, clock: { nowMs: () => nowMs } },
        telemetry: { count: () => undefined },
      } as never,
      { kind: 'anonymous' },
      { outcome: 'served', cache: 'MISS', payment: { state: 'charged', units: [], rateLimit }, image },
      asJson ? { record: makeImageRecord(image, context) } : {},
    );
    const describedResponse = getOperation(path, 'get').responses[answer.status];
    expectBody(describedResponse, 'application/json', answer.body);
    const headerNames = Object.keys(answer.headers).filter((name) => name !== 'Content-Type');
    expect(Object.keys(describedResponse?.headers ?? {})).toEqual(expect.arrayContaining(headerNames));
  }
});

test.each<Refusal>([
  { code: 'rate_limited', rateLimit },
  { code: 'authentication_required' },
  { code: 'service_unavailable', retryAfterS: 5 },
])('openapi.json describes body and headers of $code on the image route', (refusal) => {
  const problemRequest = { requestId: 'id', nowMs, rootUrl: 'https://img.example', rateLimit };
  const { status, headers, body } = makeProblemResponse(refusal, problemRequest);
  const promised = getOperation(routes.image, 'get').responses[status];
  expectBody(promised, 'application/problem+json', body);
  expectBody(promised, 'image/svg+xml', JSON.stringify('<svg/>'));
  const headerNames = Object.keys(headers).filter(
    (name) => !['Content-Type', 'Cache-Control', 'Vary'].includes(name),
  );
  expect(Object.keys(promised?.headers ?? {})).toEqual(expect.arrayContaining(headerNames));
});

test('openapi.json lists exactly the parameters of an image of a batch', () => {
  const { properties, required } = document.components.schemas['BatchImage'] as {
    readonly properties: object;
    readonly required: readonly string[];
  };
  // No parameter takes a list. So a list is refused if the parameter is read, and otherwise ignored.
  const isRead = (name: string) =>
    'refusal' in parseBatch({ images: [{ slot: 'a', query: 'x', [name]: [] }] });
  expect(Object.keys(properties)).toEqual(['slot', ...parameterNames.filter(isRead)]);
  expect(required).toEqual(['slot']);
});

test('openapi.json describes the usage of every plan', () => {
  const summary = {
    requests: 2,
    free: 1,
    bySource: { stock_a: 1, ai: 1 },
    byCache: { HIT: 1, MISS: 1 },
    refused: { not_found: 1 },
  };
  const byKey = [
    { keyId: 'key_1', name: 'web', requests: 2, free: 1 },
    { keyId: 'key_2', requests: 0, free: 0 },
  ];
  const breakdown = { month: '2026-11', ...summary, byDay: [{ date: '2026-11-03', ...summary }] };
  const moment = '2026-12-01T00:00:00Z';
  const numbers = { limit: 1_000, used: 3, remaining: 997, reset: moment };
  const totals: UsageDocument = {
    ...{ account: 'acc_1', plan: 'pro' as const, mode: 'live' as const, ...numbers },
    generations: numbers,
    window: { kind: 'month', start: moment, end: moment },
  };
  const documents: readonly UsageDocument[] = [
    totals,
    { ...totals, breakdown },
    {
      ...{ ...totals, accountName: 'Zoë', breakdown: { ...breakdown, byKey } },
      history: [{ month: '2026-11', ...summary, byKey }],
    },
  ];
  const promised = getOperation(routes.usage, 'get').responses['200'];
  for (const document of documents) expectBody(promised, 'application/json', JSON.stringify(document));
});

function expectBody(
  promised: (typeof operations)[number]['responses'][string] | undefined,
  mediaType: string,
  body: string,
): void {
  const validate = createBodyValidator(mediaType, promised?.content?.[mediaType]?.schema ?? { not: {} });
  expect(validate(JSON.parse(body))).toBeUndefined();
}
