/** Tests that the local service reaches providers at configured URLs, or starts fake ones. */

import type { SlotBindings } from '../../lambda/contract/providers';
import { makeProviderKeys, reachProviders } from '../../local/providers';

const sandboxed: SlotBindings = { stock_a: 'sandbox', stock_b: 'sandbox', stock_c: 'sandbox' };

const reach = (bindings: SlotBindings, environment = {}) => reachProviders(bindings, true, environment);

test('each bound provider on the network gets a fake one', async () => {
  const bindings = { stock_a: 'pexels', stock_b: 'library', stock_c: 'sandbox' } as const;
  const { endpoints, stop } = await reach(bindings);
  await stop();
  expect(Object.keys(endpoints)).toEqual(['pexels']);
});

test('a fake provider starts at its earlier port if that is free', async () => {
  const bindings = { ...sandboxed, stock_a: 'pexels' } as const;
  const firstStart = await reach(bindings);
  const secondStart = await reachProviders(bindings, true, {}, firstStart.endpoints);
  await firstStart.stop();
  const thirdStart = await reachProviders(bindings, true, {}, firstStart.endpoints);
  await Promise.all([secondStart.stop(), thirdStart.stop()]);
  expect(thirdStart.endpoints).toEqual(firstStart.endpoints);
  expect(secondStart.endpoints).not.toEqual(firstStart.endpoints);
});

test('a provider with a configured URL gets no fake one', async () => {
  const PROVIDER_ENDPOINTS = JSON.stringify({ pexels: 'http://127.0.0.1:4010' });
  const { endpoints, fakeProviders, stop } = await reach(
    { ...sandboxed, stock_a: 'pexels' },
    { PROVIDER_ENDPOINTS },
  );
  await stop();
  expect([endpoints, fakeProviders]).toEqual([{ pexels: 'http://127.0.0.1:4010' }, {}]);
});

test('keys of the environment are taken before invented ones', () => {
  const environment = {
    UNSPLASH_KEY: 'mine',
    PEXELS_KEY: '',
    OPENVERSE_KEY: '{"client_id":"a"}',
    OPENAI_API_KEY: 'sk',
  };
  const openverse = '{"client_id":"a"}';
  expect(JSON.parse(makeProviderKeys(environment, undefined))).toEqual({
    unsplash: 'mine',
    openai: 'sk',
    openverse,
  });
  expect(JSON.parse(makeProviderKeys(environment, true))).toEqual({
    ...{ unsplash: 'mine', pexels: 'fake-pexels', pixabay: 'fake-pixabay' },
    ...{ openai: 'sk', openverse },
  });
});
