/** A client that is registered with Openverse: its token, and the larger budget. */

import { createProvider } from '../../../lambda/stock/providers/providers';
import { understand } from '../../../lambda/stock/understand';
import { listenOnLoopback } from '../../fakes/loopback';
import { never, startScriptedProvider } from './scripted-provider';

const key = JSON.stringify({ client_id: 'the-id', client_secret: 'never-to-be-seen' });
const query = { subject: understand('lake'), orientation: 'landscape' } as const;

async function registered(more: { readonly key?: string; readonly nowMs?: () => number }) {
  const settings = { key, ...more };
  const scripted = await startScriptedProvider('openverse', settings);
  let tokens = 0;
  scripted.answer(() => {
    const isToken = scripted.asked.at(-1)?.url.pathname === '/v1/auth_tokens/token/';
    return { body: isToken ? { access_token: `token-${++tokens}`, expires_in: 36_000 } : { results: [] } };
  });
  const sent = () => scripted.asked.map(({ url, headers }) => [url.pathname, headers['authorization']]);
  return { ...scripted, settings, sent };
}

it('is named by one token for all searches, and by another one before the first ends', async () => {
  let nowMs = 0;
  const { provider, server, sent } = await registered({ nowMs: () => nowMs });
  try {
    for (const moment of [0, 35_000_000, 35_941_000]) {
      nowMs = moment;
      await provider.search(query, never);
    }
    expect(sent()).toEqual([
      ['/v1/auth_tokens/token/', undefined],
      ['/v1/images/', 'Bearer token-1'],
      ['/v1/images/', 'Bearer token-1'],
      ['/v1/auth_tokens/token/', undefined],
      ['/v1/images/', 'Bearer token-2'],
    ]);
    expect(await provider.currentQuota?.()).toEqual({ perMinute: 100, perDay: 10_000 });
  } finally {
    await server.stop();
  }
});

it('has another token once its id and secret are others', async () => {
  const { provider, server, sent, settings } = await registered({});
  try {
    await provider.search(query, never);
    settings.key = JSON.stringify({ client_id: 'another', client_secret: 'never-to-be-seen' });
    await provider.search(query, never);
    expect(sent().map(([, authorization]) => authorization)).toEqual([
      undefined,
      'Bearer token-1',
      undefined,
      'Bearer token-2',
    ]);
  } finally {
    await server.stop();
  }
});

it('names itself with its id and secret in the body of a POST', async () => {
  const sent: unknown[] = [];
  const server = await listenOnLoopback(async (request, response) => {
    const body = (await request.toArray()).join('');
    sent.push([request.method, body]);
    response.end(JSON.stringify({ access_token: 'a', expires_in: 1, results: [] }));
  });
  const settings = {
    baseUrl: server.address,
    key: async () => key,
    contact: () => '',
    clock: { nowMs: () => 0 },
  };
  await createProvider('openverse', settings).search(query, never);
  await server.stop();
  const form = 'client_id=the-id&client_secret=never-to-be-seen&grant_type=client_credentials';
  expect(sent).toEqual([
    ['POST', form],
    ['GET', ''],
  ]);
});

it('is not needed', async () => {
  const { provider, server, sent } = await registered({ key: '' });
  try {
    await provider.search(query, never);
    expect(sent()).toEqual([['/v1/images/', undefined]]);
    expect(await provider.currentQuota?.()).toEqual({ perMinute: 20, perDay: 200 });
  } finally {
    await server.stop();
  }
});

it.each(['no JSON, never-to-be-seen', '{"client_secret":"never-to-be-seen"}', '[]'])(
  'is refused without a request, and without its secret in the message, where it is %s',
  async (unusable) => {
    const { provider, server, asked } = await registered({ key: unusable });
    try {
      const failure = await provider.search(query, never).catch((error) => error);
      expect(failure).toMatchObject({ kind: 'unauthorized' });
      expect(String(failure.stack)).not.toContain('never-to-be-seen');
      expect(asked).toEqual([]);
    } finally {
      await server.stop();
    }
  },
);

it('that cannot be read has the limits of callers without one', async () => {
  const settings = {
    key: () => Promise.reject(new Error('away')),
    contact: () => '',
    clock: { nowMs: () => 0 },
  };
  const { currentQuota } = createProvider('openverse', settings);
  expect(await currentQuota?.()).toEqual({ perMinute: 20, perDay: 200 });
});

it('that Openverse refuses is a refusal of every search', async () => {
  const { provider, server, answer } = await registered({});
  try {
    answer({ status: 401, body: { error: 'invalid_client' } });
    await expect(provider.search(query, never)).rejects.toMatchObject({ kind: 'unauthorized' });
  } finally {
    await server.stop();
  }
});
