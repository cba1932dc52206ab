/** Tests the distribution before the API: its function, its cache key, and what the API learns of a viewer. */

import { runInNewContext } from 'node:vm';
import { transformSync } from 'esbuild';
import { readViewerRequestCode } from '../../../lib/edge/edge';
import { findProperties, getEnvironment, listResources, synthesise } from '../synthesise';

type Values = Readonly<Record<string, { readonly value: string; readonly multiValue?: readonly object[] }>>;

/** Runs the function on a request. */
function runViewerRequest(search: string, headers: Readonly<Record<string, string>> = {}) {
  const querystring: Record<string, { value: string; multiValue?: { value: string }[] }> = {};
  for (const [, name = '', value = ''] of search.matchAll(/([^&=]+)=?([^&]*)/g)) {
    const first = querystring[name];
    if (first) first.multiValue = [...(first.multiValue ?? [{ value: first.value }]), { value }];
    else querystring[name] = { value };
  }
  const request = {
    method: 'GET',
    uri: '/api/image',
    querystring,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }])),
  };
  const context = { event: { viewer: { ip: '192.0.2.1' }, request }, result: undefined as unknown };
  runInNewContext(`${readViewerRequestCode()};result = handler(event)`, context);
  const result = context.result as Readonly<Record<'querystring' | 'headers', Values>>;
  const flatten = (values: Values) =>
    Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value]));
  const query = result.querystring;
  return { query, names: Object.keys(query), headers: flatten(result.headers) };
}

test('the code of the edge is within the syntax of its runtime', () => {
  const supported = { 'const-and-let': true, arrow: true, 'template-literal': true };
  const compile = (code: string) => transformSync(code, { target: 'es5', supported, logLevel: 'silent' });
  expect(() => compile(readViewerRequestCode())).not.toThrow();
  expect(() => compile('const { request } = event;')).toThrow('destructuring');
});

const webp = 'image/webp,image/*;q=0.8,*/*;q=0.5';

test('the viewer request function sorts, renames and drops parameters', () => {
  const { query, names, headers } = runViewerRequest('w=300&query=sea&size=9&amp;h=200&caf%C3%A9=1');
  expect(names).toEqual(['height', 'query', 'width']);
  expect(query['width']?.value).toBe('300');
  expect(headers['x-dropped-parameters']).toBe('size,caf%C3%A9');
});

test('the first ten unknown parameters reach the API by name', () => {
  const names = ['x'.repeat(101), ...Array.from({ length: 10 }, (_, i) => `n${i}`)];
  const passedOn = runViewerRequest(`q=sea&${names.map((name) => `${name}=1`).join('&')}`).headers[
    'x-dropped-parameters'
  ];
  expect(passedOn?.split(',')).toEqual(['x'.repeat(100), ...names.slice(1, 10)]);
});

test('both values of a repeated parameter reach the API', () => {
  expect(runViewerRequest('q=sea&query=lake').query['query']?.multiValue).toHaveLength(2);
  const [one, two] = [{ value: '1' }, { value: '2' }];
  expect(runViewerRequest('seed=1&seed=2').query['seed']).toEqual({ ...one, multiValue: [one, two] });
});

test.each([
  ['of a browser becomes one of two forms', 'image/avif,image/webp,image/apng,*/*;q=0.8', webp],
  [
    'that takes AVIF alone becomes the other form',
    'image/avif,image/*',
    'image/avif,image/*;q=0.8,*/*;q=0.5',
  ],
  ['that excludes a format stays', 'image/webp;q=0,image/jpeg', 'image/webp;q=0,image/jpeg'],
  ['that excludes a format by 0.0 stays', 'image/webp, image/png;q=0.0', 'image/webp, image/png;q=0.0'],
  ['that prefers JPEG stays', 'image/jpeg,image/webp;q=0.5', 'image/jpeg,image/webp;q=0.5'],
  ['that prefers AVIF stays', 'image/avif,image/webp;q=0.5', 'image/avif,image/webp;q=0.5'],
  [
    'with weights of wildcards becomes one of two forms',
    'image/webp,video/*;q=0.8,image/png,*/*;q=0.5',
    webp,
  ],
  ['of a program stays', 'application/json, image/webp', 'application/json, image/webp'],
])('the Accept header %s', (_, accept, sentAccept) => {
  expect(runViewerRequest('q=sea', { accept }).headers['accept']).toBe(sentAccept);
});

test('headers of the edge that a viewer sends are replaced', () => {
  const claimed = { 'x-viewer-ip': '9.9.9.9', 'x-page': 'https://b.example', 'x-dropped-parameters': 'a' };
  const { headers } = runViewerRequest('q=sea', claimed);
  expect(headers).toEqual({ 'x-viewer-ip': '192.0.2.1' });
  const page = { referer: 'https://shop.example/a?b', ...claimed };
  expect(runViewerRequest('q=sea&site=site_live_x', page).headers['x-page']).toBe('https://shop.example');
  for (const [referer, named] of [
    ['HTTP://shop.example#a', 'HTTP://shop.example'],
    ['https://shop.example:8443?a', 'https://shop.example:8443'],
    ['android-app://shop.example/', undefined],
  ] as const)
    expect(runViewerRequest('q=sea&site=site_live_x', { referer }).headers['x-page']).toBe(named);
  const origin = { ...page, origin: 'https://other.example' };
  expect(runViewerRequest('q=sea&site=site_live_x', origin).headers['x-page']).toBe('https://other.example');
});

const template = synthesise('prod', { edge: true });

test('credentials and the page of a site key are in the cache key', () => {
  const { ParametersInCacheKeyAndForwardedToOrigin: key } = findProperties(
    template,
    'AWS::CloudFront::CachePolicy',
  )['CachePolicyConfig'] as { ParametersInCacheKeyAndForwardedToOrigin: Record<string, object> };
  expect(key).toMatchObject({
    HeadersConfig: { Headers: ['Accept', 'Authorization', 'X-API-Key', 'x-page'] },
    QueryStringsConfig: { QueryStringBehavior: 'all' },
  });
});

test('the authorizer gets the hash of the proof of the distribution', () => {
  expect(getEnvironment(template, 'AuthorizerFunction')['EDGE_SHA256']).toEqual({
    'Fn::GetAtt': ['Keys', 'Hash'],
  });
  expect(getEnvironment(template, 'ApiFunction')['ROOT_URL']).toBeDefined();
});

test('a stack without the setting `edge` has no distribution before the API', () => {
  const plain = synthesise('prod');
  expect(Object.keys(listResources(plain, 'AWS::CloudFront::Distribution'))).toEqual(['ImageDistribution']);
  expect(getEnvironment(plain, 'AuthorizerFunction')).not.toHaveProperty('EDGE_SHA256');
  const rules = JSON.stringify(findProperties(plain, 'AWS::WAFv2::WebACL')['Rules']);
  expect(rules.match(/"AggregateKeyType":"IP"/g)).toHaveLength(2);
  const places = [...rules.matchAll(/"Single(?:Header|QueryArgument)":\{"Name":"([\w-]+)"/g)];
  expect(places.map(([, name]) => name)).toEqual([
    ...['authorization', 'x-api-key', 'api_key', 'signer', 'site'],
  ]);
});
