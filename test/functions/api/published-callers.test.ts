/** All routes for published credentials: these spend for no whole page and no AI image, and tell no limit. */

import { computeHourWindow } from '../../../lambda/base/window';
import { routes } from '../../../lambda/contract/routes';
import { createApiHandler } from '../../../lambda/functions/api/handler';
import type { Refusal } from '../../../lambda/problems/problem';
import { createVirtualClock } from '../../fakes/clock';
import { createScriptedServices } from '../../fakes/image-services';
import { servedImage } from '../../fakes/values';
import { liveContext, makeProxyEvent } from './proxy-event';

const batch = { images: [{ slot: 'a', query: 'lake' }] };
const makeMessage = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const find = makeMessage('tools/call', { name: 'find_images', arguments: batch });

function createService({ refusal, rootUrl }: { refusal?: Refusal; rootUrl?: string } = {}) {
  const served: string[] = [];
  const clients: string[] = [];
  const { services } = createScriptedServices(
    {
      async obtainStockImage({ query }, context) {
        clients.push(context.workLimits[0]?.owner ?? '');
        served.push(query);
        if (refusal) return { outcome: 'refused', refusal };
        return { outcome: 'served', image: servedImage, cache: 'HIT' };
      },
    },
    { clock: createVirtualClock(0), config: { ROOT_URL: rootUrl } },
  );
  const handler = createApiHandler(services);
  const post = async (resource: string, body: object, context: Readonly<Record<string, string>>) => {
    const event = makeProxyEvent({
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      context,
    });
    const answer = await handler({ ...event, resource, path: resource, body: JSON.stringify(body) });
    return { status: answer.statusCode, json: JSON.parse(answer.body) };
  };
  const load = (context: Readonly<Record<string, string>>, query: Readonly<Record<string, string[]>> = {}) =>
    handler(makeProxyEvent({ query: { query: ['lake'], ...query }, context }));
  const askForPermalink = async (context: Readonly<Record<string, string>>) =>
    JSON.parse((await handler(makeProxyEvent({ imageId: 'img_1', context }))).body);
  return { post, load, askForPermalink, served, clients };
}

describe.each(['signer', 'site'])('published as a %s', (publishedAs) => {
  const context = { ...liveContext, publishedAs };

  test.each([
    ['a batch', routes.images, batch],
    ['filling a page', routes.pages, { html: '<p>' }],
    ['finding images by the protocol', routes.mcp, find],
    ['listing the tools', routes.mcp, makeMessage('tools/list')],
  ])('a caller is refused %s before an image is served', async (_, route, body) => {
    const { post, served } = createService();
    expect(await post(route, body, context)).toMatchObject({
      status: 403,
      json: { code: 'credential_not_allowed', detail: expect.stringContaining('requires an API key') },
    });
    expect(served).toEqual([]);
  });

  test('a caller is refused the permalink of an image', async () =>
    expect(await createService().askForPermalink(context)).toMatchObject({ code: 'credential_not_allowed' }));

  test.each(['rate_limited', 'quota_exceeded'] as const)(
    'the visitors of a page are told no limit of its account: %s',
    async (code) => {
      const refusal = { code, rateLimit: { limit: 4_711, remaining: 0, window: computeHourWindow(0) } };
      const { headers = {}, body } = await createService({ refusal }).load(context);
      expect(Object.keys(headers).filter((name) => /ratelimit/i.test(name))).toEqual([]);
      expect(headers).toHaveProperty('Retry-After');
      expect(JSON.parse(body)).toMatchObject({
        code,
        detail: expect.stringContaining('has been reached. It resets in '),
      });
      expect(body).not.toMatch(/4,?711/);
    },
  );
});

// The distribution drops unknown parameters from its cache key.
test.each([
  ['behind a distribution, a signer gets no note', 'signer', 'https://edge.example', undefined],
  ['behind a distribution, an API key gets a note', '', 'https://edge.example', 'ignored: size'],
  ['without a distribution, a signer gets a note', 'signer', undefined, 'ignored: size'],
])('%s on unknown parameters', async (_, publishedAs, rootUrl, note) => {
  const { load } = createService(rootUrl === undefined ? {} : { rootUrl });
  const context = { ...liveContext, ...(publishedAs && { publishedAs }) };
  expect((await load(context, { size: ['9'] })).headers?.['X-Image-Note']).toBe(note);
});

describe('site keys', () => {
  const context = { ...liveContext, publishedAs: 'site' };

  test.each([
    ['provider', 'ai'],
    ['onmiss', 'ai'],
  ])('a site key is refused %s=%s, because it pays for no AI image', async (parameter, value) => {
    const { load, served } = createService();
    const { statusCode, body } = await load(context, { [parameter]: [value] });
    expect([statusCode, JSON.parse(body).parameters[0].parameter]).toEqual([400, parameter]);
    expect(served).toEqual([]);
  });

  test('a site key is counted by the IP address of the client, which a signer is not', async () => {
    for (const [publishedAs, client] of [
      ['site', /^visitor#key_1#[\da-f]{32}$/],
      ['signer', /^key#key_1$/],
    ] as const) {
      const { load, clients } = createService();
      await load({ ...liveContext, publishedAs });
      expect(clients).toEqual([expect.stringMatching(client)]);
    }
  });

  test('a site key is in every URL of the record that it asks for', async () => {
    const { body } = await createService().load(context, { site: ['site_live_x'], format: ['json'] });
    const { srcset, html } = JSON.parse(body);
    const sizes = srcset.split(', ').length;
    expect([srcset, html].map((text) => text.split('site=site_live_x').length - 1)).toEqual([
      sizes,
      sizes + 1,
    ]);
  });
});
