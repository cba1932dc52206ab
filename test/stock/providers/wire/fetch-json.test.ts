/** What an answer of a provider means by its status, where the provider says nothing else about it. */

import { fetchJson, type JsonRequest } from '../../../../lambda/stock/providers/wire/fetch-json';
import { type Loopback, listenOnLoopback } from '../../../fakes/loopback';

let answer: { status?: number; headers?: Readonly<Record<string, string>>; body?: string } = {};
let server: Loopback;
beforeAll(async () => {
  server = await listenOnLoopback((_, response) => {
    const { status = 200, headers, body = '{"a":1}' } = answer;
    response.writeHead(status, headers).end(body);
  });
});
afterAll(() => server?.stop());

const fetched = (script: typeof answer, more: Partial<JsonRequest> = {}) => {
  answer = script;
  const signal = new AbortController().signal;
  return fetchJson({ provider: 'alpha', url: new URL(server.address), signal, ...more });
};

it.each([
  [204, 'malformed'],
  [302, 'unavailable'],
  [400, 'rejected'],
  [401, 'unauthorized'],
  [403, 'unauthorized'],
  [404, 'rejected'],
  [408, 'unavailable'],
  [429, 'throttled'],
  [499, 'rejected'],
  [500, 'unavailable'],
])('%i is %s', async (status, kind) => {
  const headers = { location: 'http://127.0.0.1:1/' };
  await expect(fetched({ status, headers, body: '' })).rejects.toMatchObject({ kind });
});

it.each([
  ['60', 60_000],
  ['0', 0],
  ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
])('with Retry-After: %s asks for a pause of %j ms', async (retryAfter, retryAfterMs) => {
  const headers = { 'retry-after': retryAfter };
  await expect(fetched({ status: 503, headers })).rejects.toMatchObject({ retryAfterMs });
});

it('is its JSON, or nothing where it says that there is no such thing, unless its provider means something else', async () => {
  expect(await fetched({ status: 201 }, { absentOn: [404] })).toEqual({ a: 1 });
  expect(await fetched({ status: 404 }, { absentOn: [404] })).toBeUndefined();
  const odd = fetched({ status: 404 }, { absentOn: [404], diagnose: () => 'throttled' });
  await expect(odd).rejects.toMatchObject({ kind: 'throttled', retryAfterMs: undefined });
});
