/** Adapters with the operator's settings: URLs, quotas and keys. */

import { type StockProviderName, stockProviders } from '../../../lambda/contract/providers';
import type { ProviderSettings } from '../../../lambda/stock/providers/adapter';
import { createProvider } from '../../../lambda/stock/providers/providers';
import { listenOnLoopback } from '../../fakes/loopback';
import { neverAborted, startScriptedProvider } from './scripted-provider';

const createConfigured = (name: StockProviderName, change: Partial<ProviderSettings> = {}) =>
  createProvider(name, {
    readKey: async () => undefined,
    contact: 'operator@example.org',
    clock: { nowMs: () => 0 },
    endpoints: { pexels: 'http://127.0.0.1:4010/' },
    quotas: { unsplash: { perHour: 5_000 } },
    ...change,
  });
/** Asks a provider for an image by its id, and returns the sent requests. */
async function listSentRequests(name: StockProviderName, change: Partial<ProviderSettings> = {}) {
  const requests: { url: string | undefined; headers: Readonly<Record<string, unknown>> }[] = [];
  const server = await listenOnLoopback(({ url, headers }, response) => {
    requests.push({ url: url?.split('?')[0], headers });
    response.end('{}');
  });
  await createConfigured(name, { endpoints: { [name]: `${server.address}/below//` }, ...change }).findById?.(
    '1',
    neverAborted,
  );
  await server.stop();
  return requests;
}

test('an adapter has the documented quota unless the operator sets another', async () => {
  expect(await createConfigured('unsplash').readQuota()).toEqual({ perHour: 5_000 });
  expect(await createConfigured('pexels').readQuota()).toEqual({ perHour: 200, perDay: 645 });
  expect(await createConfigured('unsplash', { quotas: {} }).readQuota()).toEqual({ perHour: 50 });
});

test('a provider with its own licence is not searched for the public domain', () => {
  const isUnmet = (name: StockProviderName) =>
    createConfigured(name).capability.unmetLicenses.includes('public-domain');
  expect(stockProviders.filter(isUnmet).toSorted()).toEqual(['pexels', 'pixabay', 'unsplash']);
});

test('an adapter sends its User-Agent and key to its own URL', async () => {
  const contact = 'ops (night)\n@example.org é';
  expect(await listSentRequests('pexels', { contact, readKey: async () => ' the-key\n' })).toMatchObject([
    {
      url: '/below/v1/photos/1',
      headers: {
        authorization: 'the-key',
        'user-agent': expect.stringMatching(/^image-redirect\/\S+ \(ops night@example\.org \) node\/\d+$/),
      },
    },
  ]);
});

test('a failed key read is `unavailable` without the reason in its message', async () => {
  const readKey = () => Promise.reject(new Error('the-key is away'));
  for (const name of ['pexels', 'pixabay', 'unsplash'] as const) {
    const asking = createConfigured(name, { readKey }).findById?.('1', neverAborted);
    const failure = await asking?.catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ProviderFailure', kind: 'unavailable' });
    expect(String((failure as unknown as Error).stack)).not.toContain('the-key');
  }
});

test('an adapter with a fake provider reaches no other host', () => {
  expect(createConfigured('pexels').capability.allowedHosts).toEqual(['127.0.0.1:4010']);
  expect(createConfigured('unsplash').capability.allowedHosts).toEqual(['images.unsplash.com']);
  const proxied = createConfigured('pexels', { endpoints: { pexels: 'https://proxy.example' } });
  expect(proxied.capability.allowedHosts).toEqual(['images.pexels.com']);
});

test('an adapter distinguishes a missing photo from an outage', async () => {
  const { provider, server, answer } = await startScriptedProvider('unsplash');
  const outcomes = [];
  for (const status of [404, 410, 500]) {
    answer({ status, body: {} });
    outcomes.push(await provider.findById?.('1', neverAborted).catch(({ kind }) => kind));
  }
  await server.stop();
  expect(outcomes).toEqual([undefined, undefined, 'unavailable']);
});
