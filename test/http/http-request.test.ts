/** Events of API Gateway are read as requests: root URL, refused credentials, names of parameters, route. */

import { edgeHeaders } from '../../lambda/contract/edge';
import { createRouteMatcher, readHttpRequest, readRootUrl } from '../../lambda/http/http-request';
import { makeRestEvent } from '../fakes/rest-event';

const match = () => ({ resource: '/api/image', pathParameters: {} });

describe('readRootUrl', () => {
  test.each([
    ['/', '/', ''],
    ['/', '/prod/', '/prod'],
    ['/llms.txt', '/llms.txt', ''],
    ['/llms.txt', '/prod/llms.txt', '/prod'],
    ['/api/image/', '/prod/api/image/', '/prod'],
    ['/api/image/1200x800-a%2Fb', '/prod/api/image/1200x800-a%2Fb', '/prod'],
    ['/api/image/300x200-a/b%2Fc/', '/api/image/300x200-a/b%2Fc/', ''],
    ['/api/image/id/abc', '/v1/images/api/image/id/abc', '/v1/images'],
    ['/API/image/300x200-a', '/v1/images/API/image/300x200-a', '/v1/images'],
    ['//api//image', '/prod//api//image', '/prod'],
  ])('the root URL of a request for %s at %s ends in "%s"', (path, whole, prefix) => {
    const event = makeRestEvent({ path });
    const requestContext = { ...event.requestContext, path: whole };
    expect(readRootUrl({ ...event, path, requestContext })).toBe(`https://img.example${prefix}`);
  });

  test('the root URL has the domain of the API for every Host header', () => {
    const headers = { 'X-Forwarded-Proto': 'http', Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' };
    expect(readRootUrl({ ...makeRestEvent(), headers })).toBe('http://img.example');
  });
});

/** The caller of a request whose credential the authorizer has refused. */
const readCaller = (
  refusal: string,
  headers: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string[]>>,
) => {
  const event = {
    ...makeRestEvent({ headers, context: { refusal } }),
    multiValueQueryStringParameters: query,
  };
  return readHttpRequest(event, match, 0).caller;
};

test('the refusal of several credentials names each of them', () => {
  const headers = { 'X-Api-Key': 'a', authorization: 'Bearer b', accept: '*/*' };
  const query = { api_key: ['a'], signer: ['b'], signature: ['c'], site: ['d'], width: ['300'] };
  const named = ['X-API-Key', 'Authorization', 'api_key', 'signer', 'signature', 'site'];
  const bounds = 'only one API key, signature or site key can be given';
  const faults = named.map((parameter) => ({ parameter, bounds }));
  const code = 'conflicting_parameters';
  expect(readCaller(code, headers, query)).toEqual({ refusal: { code, faults } });
});

test.each([
  ['a page', { referer: 'https://a.example/' }, 'pk_live_a', true],
  ['a page with another text', { referer: 'https://a.example/' }, 'a', undefined],
  ['a program', {}, 'pk_live_a', undefined],
])('a refused key of %s is exposed or not', (_, headers, key, isExposed) => {
  const code = 'invalid_api_key';
  expect(readCaller(code, headers, { api_key: [key] })).toEqual({
    refusal: { code, ...(isExposed && { isExposed }) },
  });
});

describe('readHttpRequest', () => {
  const event = {
    ...makeRestEvent(),
    multiValueQueryStringParameters: { q: ['sea'], 'amp;w': ['300'], width: ['400'] },
    multiValueHeaders: {
      [edgeHeaders.viewerIp]: ['192.0.2.1'],
      [edgeHeaders.dropped]: ['size,caf%C3%A9'],
    },
  };
  const query = { query: ['sea'], width: ['300', '400'] };

  test('short and escaped names of parameters become full names', () =>
    expect({ ...readHttpRequest(event, match, 0).query }).toEqual(query));

  test('only the distribution is trusted to name dropped parameters', () => {
    const authorizer = { caller: 'anonymous', viewerIp: '192.0.2.1' };
    const through = { ...event, requestContext: { ...event.requestContext, authorizer } };
    const { query: told, clientIp } = readHttpRequest(through, match, 0);
    expect([told, clientIp]).toEqual([{ ...query, size: [], café: [] }, '192.0.2.1']);
    expect(readHttpRequest(event, match, 0).clientIp).not.toBe('192.0.2.1');
  });
});

const matchRoute = createRouteMatcher([
  '/',
  '/api/image',
  '/api/image/id/{id}',
  '/api/image/{spec+}',
  '/{path+}',
]);

test.each([
  ['/', '/', {}],
  ['', '/', {}],
  ['/api/image', '/api/image', {}],
  ['/api/image/', '/api/image', {}],
  ['/api/image/300x200-a%2Fb', '/api/image/{spec+}', { spec: '300x200-a%2Fb' }],
  ['/api/image/300x200-a/b/c', '/api/image/{spec+}', { spec: '300x200-a/b/c' }],
  ['/api/image/id/abc', '/api/image/id/{id}', { id: 'abc' }],
  ['/api/image/id/abc/d', '/api/image/{spec+}', { spec: 'id/abc/d' }],
  ['/API/image', '/{path+}', { path: 'API/image' }],
  ['/api//image', '/{path+}', { path: 'api//image' }],
])('the path %s takes the route %s', (path, resource, pathParameters) => {
  expect(matchRoute(path)).toEqual({ resource, pathParameters });
});

test('an unknown path matches the empty resource', () => {
  expect(createRouteMatcher(['/api/image'])('/elsewhere')).toEqual({ resource: '', pathParameters: {} });
});
