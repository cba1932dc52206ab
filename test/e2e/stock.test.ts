/** Stock providers from the outside: every adapter over HTTP, with fake providers. */

import { startFakeProviders } from '../../local/fake-providers/fake-providers';
import { startFixture } from '../fakes/fixture';
import { type Answer, ask, getHeader, loadImage } from './ask';
import { type RunningService, startService } from './local-service';

const fakeProviders = startFixture(() => startFakeProviders(['unsplash', 'pexels', 'pixabay']));
/** Unsplash, Pexels and Pixabay, with fake providers of the test. */
let keyed: RunningService;
/** Openverse, Wikimedia Commons and the sandbox, with fake providers of the service. */
let keyless: RunningService;

beforeAll(async () => {
  [keyed, keyless] = await Promise.all([
    startService(['--memory', '--bind', 'stock_a=unsplash,stock_b=pexels,stock_c=pixabay'], {
      ...{ UNSPLASH_KEY: 'k', PEXELS_KEY: 'k', PIXABAY_KEY: 'k' },
      PROVIDER_ENDPOINTS: JSON.stringify(fakeProviders.endpoints),
      PROVIDER_QUOTAS: '{"unsplash":{"perHour":5000}}',
    }),
    startService(['--memory', '--fake-providers', '--bind', 'stock_a=openverse,stock_b=wikimedia'], {
      PROVIDER_QUOTAS: '{"openverse":{"perMinute":1000}}',
    }),
  ]);
});
afterAll(() => Promise.all([keyed?.stop(), keyless?.stop()]));

const get = (service: RunningService, path: string): Promise<Answer> =>
  ask(service.url, { path, headers: { 'X-API-Key': service.keys.business.live } });

test.each([
  ['unsplash', () => keyed, 'stock_a', 'Photo by '],
  ['pexels', () => keyed, 'stock_b', 'Photo by '],
  ['pixabay', () => keyed, 'stock_c', 'Image by '],
  ['openverse', () => keyless, 'stock_a', '"Mountain lake'],
  ['wikimedia', () => keyless, 'stock_b', '"Mountain lake'],
  ['sandbox', () => keyless, 'stock_c', 'Drawn by the service'],
] as const)(
  '%s gives an image of exactly the requested size with its credit',
  async (_, service, slot, credit) => {
    const [width, height] = [641, 399];
    const answer = await get(service(), `/api/image/${width}x${height}-mountain-lake?provider=${slot}`);
    expect([answer.status, getHeader(answer, 'x-image-source')]).toEqual([302, slot]);
    const image = await loadImage(answer);
    expect([image.width, image.height]).toEqual([width, height]);
    expect(getHeader(answer, 'x-image-attribution').startsWith(credit)).toBe(true);
    expect(getHeader(answer, 'link')).toMatch(/^<https:\/\/\S+>; rel="license"$/);
    expect(JSON.parse(answer.body)).toMatchObject({
      url: getHeader(answer, 'location'),
      width,
      height,
      source: slot,
      attribution: { license: { id: expect.any(String), name: expect.any(String) } },
    });
  },
);

test('for any response of a provider, the caller gets an image or a documented problem', async () => {
  const words = ['429', '403', '410', '400', '500', 'html', 'empty', 'small', 'maxlag', 'timeout'];
  const broken = ['all-broken', 'broken-image'];
  // All at once, so that hardly a word meets a breaker that another one has opened.
  const askAll = (service: RunningService) =>
    Promise.all(
      [...words, ...broken].map(async (word) =>
        get(service, `/api/image?query=fake-${word}&width=900&height=600`),
      ),
    );
  const [withSandbox, withoutSandbox] = await Promise.all([askAll(keyless), askAll(keyed)]);
  expect(withSandbox.map(({ status }) => status)).toEqual(withSandbox.map(() => 302));
  for (const answer of withSandbox) await loadImage(answer);
  for (const { status, body } of withoutSandbox.filter(({ status }) => status !== 302))
    expect([
      [404, 'no_image_found'],
      [502, 'upstream_unavailable'],
    ]).toContainEqual([status, JSON.parse(body).code]);
});
