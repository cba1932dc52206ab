/** The documentation: its pages, without a key, cacheable. */

import { defaultPlans } from '../../../lambda/contract/plans';
import {
  clientPackage,
  contentCertificates,
  protectedResource,
  routes,
  skillPath,
} from '../../../lambda/contract/routes';
import type { PageAssets } from '../../../lambda/docs/page/page';
import { writeContentSecurityPolicy } from '../../../lambda/docs/page/page';
import { createApiHandler } from '../../../lambda/functions/api/handler';
import type { Services } from '../../../lambda/services/services';
import { bundlePageAssets } from '../../../lib/functions/bundle';
import { createScriptedServices } from '../../fakes/image-services';
import { type EventOptions, makeRestEvent } from '../../fakes/rest-event';

const imageBaseUrl = 'https://images.example';
const assets = bundlePageAssets();
globalThis.PAGE_ASSETS = assets;
const createHandler = (config: Partial<Services['config']> = {}) => {
  const settings = { IMAGE_BASE_URL: imageBaseUrl, ...config };
  return createApiHandler(createScriptedServices({}, { config: settings }).services);
};
const handler = createHandler();
const ask = (options: EventOptions = {}) => handler(makeRestEvent(options));
const makeHtmlHeaders = (page: PageAssets, referrer: string) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': writeContentSecurityPolicy('https://img.example', page),
  'Referrer-Policy': referrer,
});
const pages = [
  [routes.docs, makeHtmlHeaders(assets.docs, 'strict-origin-when-cross-origin')],
  [routes.accountPage, makeHtmlHeaders(assets.account, 'no-referrer')],
  [routes.openApi, { 'Content-Type': 'application/json; charset=utf-8' }],
  [routes.llms, { 'Content-Type': 'text/plain; charset=utf-8' }],
] as const;

describe('pages of documentation', () => {
  test.each(pages)('%s is cached for five minutes, then revalidated with 304', async (path, ownHeaders) => {
    const { statusCode, headers, body } = await ask({ path });
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      ...ownHeaders,
      'Cache-Control': 'public, max-age=300',
      'Access-Control-Allow-Origin': '*',
      'X-Content-Type-Options': 'nosniff',
      ETag: expect.stringMatching(/^"[\w-]+"$/),
    });
    expect(body.length).toBeGreaterThan(1_000);
    const etag = String(headers?.['ETag']);
    for (const knownTags of [etag, `"other", W/${etag}`, '*']) {
      const again = await ask({ path, headers: { 'If-None-Match': knownTags } });
      expect([again.statusCode, again.headers?.['ETag'], again.body]).toEqual([304, etag, '']);
      expect(again.headers?.['Cache-Control']).toBe('public, max-age=300');
    }
    expect((await ask({ path, headers: { 'If-None-Match': '"other"' } })).statusCode).toBe(200);
  });

  test.each(pages)('%s has the stage in every URL', async (path) => {
    const { body } = await ask({ path, prefix: '/prod', domainName: 'abc.example' });
    expect(body).toContain('/prod');
    for (const [url = ''] of body.matchAll(/https:\/\/abc\.example[^\s"'<&]*/g))
      expect(url).toMatch(/^https:\/\/abc\.example\/prod(\/|$)/);
  });

  test.each([
    ['nowhere', 1920, 1080],
    ['300x200-day', 300, 200],
    ['/api//image/300x200-day/night', 300, 200],
    ['api/images/60x40-day', 150, 100],
    ['api/imges', 320, 200, { width: '320', height: '200' }],
    ['API/image/300x200-day', 300, 200, { query: 'night' }],
  ])('any other path is answered with 404, as a card for an image tag: %s', async (...row) => {
    const [path, widthPx, heightPx, query = {}] = row as [string, number, number, Record<string, string>?];
    const multiValueQueryStringParameters = Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, [value]]),
    );
    const event = {
      ...makeRestEvent({ path: `/${path}` }),
      multiValueQueryStringParameters,
    };
    const document = await handler(event);
    expect(document.statusCode).toBe(404);
    expect(JSON.parse(document.body)).toMatchObject({ code: 'not_found' });
    const card = await handler({ ...event, multiValueHeaders: { 'sec-fetch-dest': ['image'] } });
    expect(card.statusCode).toBe(404);
    expect(card.body).toMatch(new RegExp(`^<svg [^>]*width="${widthPx}" height="${heightPx}"`));
  });

  const askElsewhere = (path: string, method: string, certificates?: string) => {
    return createHandler({ CONTENT_CERTIFICATES: certificates })(makeRestEvent({ path, method }));
  };

  test('the skill for agents is served as a separate page', async () => {
    const { statusCode, headers, body } = await askElsewhere(skillPath, 'GET');
    expect([statusCode, headers?.['Content-Type']]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(body).toContain('https://img.example/api/images');
  });

  test.each(['GET', 'HEAD'])('the client package is found with %s, for five minutes', async (method) => {
    const { statusCode, headers, body } = await askElsewhere(clientPackage, method);
    expect([statusCode, body]).toEqual([302, '']);
    expect(headers).toMatchObject({
      Location: `${imageBaseUrl}/public/client.tgz`,
      'Cache-Control': 'public, max-age=300',
    });
  });

  test('certificates of AI images are served where the operator has some', async () => {
    const { statusCode, headers, body } = await askElsewhere(contentCertificates, 'GET', 'PEM');
    expect([statusCode, body]).toEqual([200, 'PEM']);
    expect(headers).toMatchObject({
      'Content-Type': 'application/x-pem-file',
      'Cache-Control': 'public, max-age=300',
    });
    expect(await askElsewhere(contentCertificates, 'HEAD', 'PEM')).toMatchObject({
      statusCode: 200,
      body: '',
    });
    expect((await askElsewhere(contentCertificates, 'GET')).statusCode).toBe(404);
  });

  test.each([
    [protectedResource, 'https://img.example'],
    [`${protectedResource}${routes.mcp}`, `https://img.example${routes.mcp}`],
  ])('the metadata of what takes a key is served at %s', async (path, resource) => {
    const { statusCode, headers, body } = await askElsewhere(path, 'GET');
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'public, max-age=300',
    });
    expect(JSON.parse(body)).toEqual({
      resource,
      resource_name: 'Image Redirect',
      resource_documentation: 'https://img.example/',
      bearer_methods_supported: ['header'],
    });
  });

  test('the documentation states the limits that the operator has configured', async () => {
    const plans = { ...defaultPlans, free: { ...defaultPlans.free, monthlyRequests: 2_345 } };
    const own = createHandler({ PLANS: plans });
    for (const path of [routes.docs, routes.llms])
      expect((await own(makeRestEvent({ path }))).body).toContain('2,345');
  });
});
