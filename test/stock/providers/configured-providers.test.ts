/** Adapters are built from a function's configuration: other URLs, other limits, its keys. */

import { stockProviders } from '../../../lambda/contract/providers';
import { createProviders } from '../../../lambda/stock/providers/providers';
import { listenOnLoopback } from '../../fakes/loopback';
import { never, startScriptedProvider } from './scripted-provider';

const configuration = {
  readKey: async () => undefined,
  contact: () => 'operator@example.org',
  clock: { nowMs: () => 0 },
  endpoints: { pexels: 'http://127.0.0.1:4010/' },
  quotas: { unsplash: { perHour: 5_000 } },
};

describe('configured providers', () => {
  const providerOf = createProviders(configuration);

  it('are there by every name', () => {
    expect(stockProviders.map((name) => providerOf(name).name)).toEqual(stockProviders);
  });

  it('have the limits that the operator has agreed on, and else the documented ones', () => {
    expect(providerOf('unsplash').capability.quota).toEqual({ perHour: 5_000 });
    expect(providerOf('pexels').capability.quota).toEqual({ perHour: 200, perDay: 645 });
    expect(createProviders({ ...configuration, quotas: {} })('unsplash').capability.quota).toEqual({
      perHour: 50,
    });
  });

  it('are reached below their URL, which may end with slashes, and told who sends the request', async () => {
    const asked: unknown[] = [];
    const server = await listenOnLoopback(({ url, headers }, response) => {
      asked.push([url?.split('?')[0], headers['user-agent']]);
      response.end('{}');
    });
    const endpoints = { openverse: `${server.address}/below//` };
    const contact = () => 'ops (night)\n@example.org é';
    await createProviders({ ...configuration, endpoints, contact })('openverse').byId?.('1', never);
    await server.stop();
    expect(asked).toEqual([
      [
        '/below/v1/images/1/',
        expect.stringMatching(/^image-redirect\/\S+ \(ops night@example\.org \) node\/\d+$/),
      ],
    ]);
  });

  it('send their key without what surrounds it', async () => {
    const sent: unknown[] = [];
    const server = await listenOnLoopback(({ headers }, response) => {
      sent.push(headers.authorization);
      response.end('{}');
    });
    const readKey = async () => ' the-key\n';
    const endpoints = { pexels: server.address };
    await createProviders({ ...configuration, endpoints, readKey })('pexels').byId?.('1', never);
    await server.stop();
    expect(sent).toEqual(['the-key']);
  });

  it('whose key cannot be read are unavailable, and say nothing of it', async () => {
    const readKey = () => Promise.reject(new Error('the-key is away'));
    const providerOf = createProviders({ ...configuration, readKey });
    for (const name of ['pexels', 'pixabay', 'unsplash'] as const) {
      const failure = await providerOf(name)
        .byId?.('1', never)
        .catch((error) => error);
      expect(failure).toMatchObject({ name: 'ProviderFailure', kind: 'unavailable' });
      expect(String(failure.stack)).not.toContain('the-key');
    }
  });

  it('are reached at their fake provider where there is one, and nowhere else', () => {
    expect(providerOf('pexels').capability.allowedHosts).toEqual(['127.0.0.1:4010']);
    expect(providerOf('unsplash').capability.allowedHosts).toEqual(['images.unsplash.com']);
  });
});

it.each(['unsplash', 'pexels', 'openverse'] as const)(
  '%s: a photo that it says is gone is absent, and an outage says nothing of it',
  async (name) => {
    const { provider, server, answer } = await startScriptedProvider(name);
    const outcomes = [];
    for (const status of [404, 410, 500]) {
      answer({ status, body: {} });
      outcomes.push(await provider.byId?.('1', never).catch(({ kind }) => kind));
    }
    await server.stop();
    expect(outcomes).toEqual([undefined, undefined, 'unavailable']);
  },
);
