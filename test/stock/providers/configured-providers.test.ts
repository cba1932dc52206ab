/** `providers.ts` builds adapters from a function's configuration: other URLs, other limits, its keys. */

import { type StockProviderName, stockProviders } from '../../../lambda/contract/providers';
import type { ProviderSettings } from '../../../lambda/stock/providers/adapter';
import { createProvider } from '../../../lambda/stock/providers/providers';
import { listenOnLoopback } from '../../fakes/loopback';
import { never, startScriptedProvider } from './scripted-provider';

const configured = (name: StockProviderName, change: Partial<ProviderSettings> = {}) =>
  createProvider(name, {
    readKey: async () => undefined,
    contact: 'operator@example.org',
    clock: { nowMs: () => 0 },
    endpoints: { pexels: 'http://127.0.0.1:4010/' },
    quotas: { unsplash: { perHour: 5_000 } },
    ...change,
  });
/** The requests that asking a provider for an image by its id sends. */
async function sentBy(name: StockProviderName, change: Partial<ProviderSettings> = {}) {
  const sent: { url: string | undefined; headers: Readonly<Record<string, unknown>> }[] = [];
  const server = await listenOnLoopback(({ url, headers }, response) => {
    sent.push({ url: url?.split('?')[0], headers });
    response.end('{}');
  });
  await configured(name, { endpoints: { [name]: `${server.address}/below//` }, ...change }).findById?.(
    '1',
    never,
  );
  await server.stop();
  return sent;
}

test('each provider has an adapter of its name', () => {
  expect(stockProviders.map((name) => configured(name).name)).toEqual(stockProviders);
});

test('an adapter has the documented limits unless the operator has agreed on others', async () => {
  expect(await configured('unsplash').readQuota()).toEqual({ perHour: 5_000 });
  expect(await configured('pexels').readQuota()).toEqual({ perHour: 200, perDay: 645 });
  expect(await configured('unsplash', { quotas: {} }).readQuota()).toEqual({ perHour: 50 });
});

test('no adapter is searched for what is free for any use where its own licence is not', () => {
  const none = (['unsplash', 'pexels', 'pixabay'] as const).map((name) => configured(name).capability);
  expect(none.map(({ unmetLicenses }) => unmetLicenses)).toEqual(Array(3).fill(['public-domain']));
  for (const name of ['openverse', 'wikimedia', 'sandbox', 'library'] as const)
    expect(configured(name).capability.unmetLicenses).toEqual([]);
});

test('an adapter sends its User-Agent and key to its own URL', async () => {
  const contact = 'ops (night)\n@example.org é';
  expect(await sentBy('pexels', { contact, readKey: async () => ' the-key\n' })).toMatchObject([
    {
      url: '/below/v1/photos/1',
      headers: {
        authorization: 'the-key',
        'user-agent': expect.stringMatching(/^image-redirect\/\S+ \(ops night@example\.org \) node\/\d+$/),
      },
    },
  ]);
});

test('an adapter is unavailable, without a reason, when its key cannot be read', async () => {
  const readKey = () => Promise.reject(new Error('the-key is away'));
  for (const name of ['pexels', 'pixabay', 'unsplash'] as const) {
    const asking = configured(name, { readKey }).findById?.('1', never);
    const failure = await asking?.catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ProviderFailure', kind: 'unavailable' });
    expect(String((failure as unknown as Error).stack)).not.toContain('the-key');
  }
});

test('an adapter with a fake provider reaches only that', () => {
  expect(configured('pexels').capability.allowedHosts).toEqual(['127.0.0.1:4010']);
  expect(configured('unsplash').capability.allowedHosts).toEqual(['images.unsplash.com']);
  const proxied = configured('pexels', { endpoints: { pexels: 'https://proxy.example' } });
  expect(proxied.capability.allowedHosts).toEqual(['images.pexels.com']);
});

test.each(['unsplash', 'pexels', 'openverse'] as const)(
  'the adapter of %s tells a photo that is gone from an outage',
  async (name) => {
    const { provider, server, answer } = await startScriptedProvider(name);
    const outcomes = [];
    for (const status of [404, 410, 500]) {
      answer({ status, body: {} });
      outcomes.push(await provider.findById?.('1', never).catch(({ kind }) => kind));
    }
    await server.stop();
    expect(outcomes).toEqual([undefined, undefined, 'unavailable']);
  },
);
