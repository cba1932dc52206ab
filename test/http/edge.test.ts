/** Behind a CloudFront distribution, nothing is answered that does not prove that it came through it. */

import { edgeHeaders } from '../../lambda/contract/edge';
import { type Edge, edgeOf } from '../../lambda/http/edge';
import { httpHandler } from '../../lambda/http/http-handler';
import type { HttpRequest } from '../../lambda/http/http-request';
import type { HttpResponse } from '../../lambda/http/http-response';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { type EventOptions, restEvent } from '../fakes/rest-event';
import { createVirtualClock } from '../fakes/virtual-clock';

const lock = 'l'.repeat(48);
const edge: Edge = { locks: [lock], rootUrl: 'https://api.example.org' };
const served: HttpResponse = { status: 200, headers: {}, body: 'served' };
const viewerIp = '203.0.113.77';

function serviceBehind(given: Edge | undefined, answer: HttpResponse = served) {
  const seen: HttpRequest[] = [];
  const services = { clock: createVirtualClock(), telemetry: createRecordedTelemetry() };
  const handler = httpHandler(services, {
    routes: {
      '/read': {
        GET: (_, request) => {
          seen.push(request);
          return answer;
        },
      },
    },
    cardSizeOf: () => ({ widthPx: 300, heightPx: 200 }),
    edge: given,
  });
  const ask = async (options: Partial<EventOptions>) =>
    handler(restEvent({ method: 'GET', path: '/read', ...options }));
  return { ask, seen };
}

test('a request through the distribution has the IP address of its viewer, and URLs below that of the distribution', async () => {
  const { ask, seen } = serviceBehind(edge);
  const headers = { [edgeHeaders.lock.toUpperCase()]: lock, [edgeHeaders.viewerIp]: viewerIp };
  expect(await ask({ headers })).toMatchObject({ statusCode: 200, body: 'served' });
  expect(seen).toMatchObject([{ clientIp: viewerIp, rootUrl: edge.rootUrl }]);
});

test('while the secret is rotated, both are accepted and no other', async () => {
  const [old, next] = ['1'.repeat(48), '2'.repeat(48)];
  const rotating = edgeOf({ ORIGIN_LOCK: `${old} ${next}`, ROOT_URL: edge.rootUrl });
  const { ask } = serviceBehind(rotating);
  const statusOf = async (given: string) =>
    (await ask({ headers: { [edgeHeaders.lock]: given, [edgeHeaders.viewerIp]: viewerIp } })).statusCode;
  expect(await Promise.all([old, next].map(statusOf))).toEqual([200, 200]);
  expect(await Promise.all([`${old} ${next}`, '', ' ', lock].map(statusOf))).toEqual([421, 421, 421, 421]);
});

test('a request with the secret in two headers is refused, though each of them is right', async () => {
  const headers = { [edgeHeaders.lock]: lock, [edgeHeaders.lock.toUpperCase()]: lock };
  const answer = await serviceBehind(edge).ask({ headers: { ...headers, [edgeHeaders.viewerIp]: viewerIp } });
  expect(answer.statusCode).toBe(421);
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['nothing', {}],
  ['a forged IP address', { [edgeHeaders.viewerIp]: viewerIp }],
  ['another secret', { [edgeHeaders.lock]: `${lock}x`, [edgeHeaders.viewerIp]: viewerIp }],
  ['an empty secret', { [edgeHeaders.lock]: '', [edgeHeaders.viewerIp]: viewerIp }],
  ['the secret in two parts', { [edgeHeaders.lock]: `${lock}, ${lock}`, [edgeHeaders.viewerIp]: viewerIp }],
  ['the secret without a viewer', { [edgeHeaders.lock]: lock }],
])('a request with %s is refused before any route sees it', async (_, headers) => {
  const { ask, seen } = serviceBehind(edge);
  const refused = await ask({ headers });
  expect(refused).toMatchObject({ statusCode: 421, headers: { 'Cache-Control': 'no-store' } });
  expect(JSON.parse(refused.body)).toMatchObject({
    code: 'misdirected_request',
    type: 'https://api.example.org/#misdirected_request',
  });
  expect(refused.body).not.toContain(lock);
  expect(seen).toEqual([]);
});

test('an image tag that reaches the API directly is shown a card', async () => {
  const card = await serviceBehind(edge).ask({ headers: { 'Sec-Fetch-Dest': 'image' } });
  expect(card).toMatchObject({ statusCode: 421, headers: { 'X-Image-Fallback': 'misdirected_request' } });
});

const signed = {
  caller: 'live',
  account: 'acc_0123456789abcdef01',
  plan: 'pro',
  keyId: 'sg_live_0123456789ab',
  publishedAs: 'signer',
};

test.each<[string, Readonly<Record<string, string>>, number]>([
  ['the visitors of a signed URL', signed, 0],
  ['the visitors of a site key', { ...signed, publishedAs: 'site' }, 0],
  ['a caller without a key', { caller: 'anonymous' }, 2],
  ['an account with a key', { ...signed, publishedAs: '' }, 2],
])('an answer for %s shows the rate limit of its own caller alone', async (_, context, count) => {
  const headers = { 'X-RateLimit-Remaining': '9', RateLimit: '"month";r=9;t=1' };
  const answer = await serviceBehind(undefined, { ...served, headers }).ask({ context });
  expect(Object.keys(answer.headers ?? {}).filter((name) => /RateLimit/.test(name))).toHaveLength(count);
});

test('without a distribution, the headers of one mean nothing', async () => {
  const { ask, seen } = serviceBehind(undefined);
  const headers = { [edgeHeaders.lock]: lock, [edgeHeaders.viewerIp]: viewerIp };
  expect(await ask({ headers })).toMatchObject({ statusCode: 200 });
  expect(seen[0]?.clientIp).not.toBe(viewerIp);
  expect(seen[0]?.rootUrl).not.toBe(edge.rootUrl);
});

test('an API is never left open by half a configuration', () => {
  expect(edgeOf({ ORIGIN_LOCK: undefined, ROOT_URL: undefined })).toBeUndefined();
  expect(edgeOf({ ORIGIN_LOCK: lock, ROOT_URL: edge.rootUrl })).toEqual(edge);
  for (const half of [
    { ORIGIN_LOCK: lock, ROOT_URL: undefined },
    { ORIGIN_LOCK: undefined, ROOT_URL: edge.rootUrl },
  ])
    expect(() => edgeOf(half)).toThrow();
});
