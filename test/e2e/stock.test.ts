/** Stock providers from the outside: every adapter over HTTP, with fake providers. */

import { describeLocal } from '../../cli/local-services';
import { runTool } from '../cli/run-tool';
import { fixtureOf } from '../fakes/fixture';
import { type Answer, ask, header, imageBehind } from './ask';
import { requestsTo, startOwnFakeProviders } from './fake-providers';
import { type RunningService, startService } from './local-service';

const secrets = {
  UNSPLASH_KEY: 'unsplash-key-secret',
  PEXELS_KEY: 'pexels-key-secret',
  PIXABAY_KEY: 'pixabay-key-secret',
} as const;

const fakeProviders = fixtureOf(() => startOwnFakeProviders(['unsplash', 'pexels', 'pixabay']));
/** Unsplash, Pexels and Pixabay, with fake providers of the test. */
let keyed: RunningService;
/** Openverse, Wikimedia Commons and the sandbox, with fake providers of the service. */
let keyless: RunningService;
const answers: Answer[] = [];

beforeAll(async () => {
  [keyed, keyless] = await Promise.all([
    startService(['--memory', '--json-logs', '--bind', 'stock_a=unsplash,stock_b=pexels,stock_c=pixabay'], {
      ...secrets,
      PROVIDER_ENDPOINTS: fakeProviders.endpoints,
      PROVIDER_QUOTAS: '{"unsplash":{"perHour":5000}}',
    }),
    startService(['--memory', '--fake-providers', '--bind', 'stock_a=openverse,stock_b=wikimedia'], {
      PROVIDER_QUOTAS: '{"openverse":{"perMinute":1000}}',
    }),
  ]);
});
afterAll(() => Promise.all([keyed?.stop(), keyless?.stop()]));

async function get(service: RunningService, path: string): Promise<Answer> {
  const answer = await ask(service.url, { path, headers: { 'X-API-Key': service.keys.business.live } });
  answers.push(answer);
  return answer;
}

const source = (answer: Answer) => header(answer, 'x-image-source');
const providersOf = (service: RunningService) =>
  runTool(['providers', '--local', service.url, '--json'], { cwd: __dirname });

test.each([
  ['unsplash', () => keyed, 'stock_a', 'Photo by '],
  ['pexels', () => keyed, 'stock_b', 'Photo by '],
  ['pixabay', () => keyed, 'stock_c', 'Image by '],
  ['openverse', () => keyless, 'stock_a', '"Mountain lake'],
  ['wikimedia', () => keyless, 'stock_b', '"Mountain lake'],
  ['sandbox', () => keyless, 'stock_c', 'Drawn by the service'],
] as const)(
  '%s gives an image of exactly the pixels that were asked for, with its credit',
  async (_, service, slot, credit) => {
    const [width, height] = [641, 399];
    const answer = await get(service(), `/api/image/${width}x${height}-mountain-lake?provider=${slot}`);
    expect([answer.status, source(answer)]).toEqual([302, slot]);
    const image = await imageBehind(answer);
    expect([image.width, image.height]).toEqual([width, height]);
    expect(header(answer, 'x-image-attribution').startsWith(credit)).toBe(true);
    expect(header(answer, 'link')).toMatch(/^<https:\/\/\S+>; rel="license"$/);
    expect(JSON.parse(answer.body)).toMatchObject({
      url: header(answer, 'location'),
      width,
      height,
      source: slot,
      attribution: { license: { id: expect.any(String), name: expect.any(String) } },
    });
  },
);

test('an Unsplash photo comes from Unsplash with its ixid, and its credit links carry the referral', async () => {
  const answer = await get(keyed, '/api/image/640x480-quiet-wood?format=json');
  const { url, attribution } = JSON.parse(answer.body);
  expect(new URL(url).host).toBe(new URL(JSON.parse(fakeProviders.endpoints).unsplash).host);
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    ixid: expect.stringMatching(/^M3w/),
    w: '640',
    h: '480',
    fit: 'crop',
  });
  for (const link of [attribution.creatorUrl, attribution.landingUrl])
    expect(link).toMatch(/^https:\/\/unsplash\.com\/.+\?utm_source=.+&utm_medium=referral$/);
  expect(attribution.creditLine).toBe(`Photo by ${attribution.creator} on Unsplash`);
});

test('no response redirects to Pixabay', async () => {
  for (const query of ['fern', 'moss', 'oak']) {
    const answer = await get(keyed, `/api/image/320x200-${query}?provider=stock_c`);
    expect(source(answer)).toBe('stock_c');
    expect(header(answer, 'location').startsWith(`${keyed.url}/cdn/stock/`)).toBe(true);
  }
});

test('the fake providers of the service are in its JSON line and record their requests', async () => {
  expect(Object.keys(keyless.fakeProviders).sort()).toEqual(['openverse', 'wikimedia']);
  const asked = await requestsTo(keyless.fakeProviders['openverse'] ?? '');
  expect(asked).toContainEqual(
    expect.objectContaining({
      path: '/v1/images/',
      parameters: expect.objectContaining({ q: 'mountain lake', mature: 'false' }),
    }),
  );
});

test('a provider that ends in mid-run is replaced by the next slot', async () => {
  const known = await get(keyed, '/api/image/640x480-quiet-wood');
  await fakeProviders.end('unsplash');
  for (const query of ['one', 'two', 'three', 'four']) {
    const answer = await get(keyed, `/api/image/320x200-after-${query}`);
    expect([answer.status, source(answer)]).toEqual([302, 'stock_b']);
    expect(header(answer, 'cache-control')).toMatch(/^private, max-age=(300|29\d)$/);
  }
  expect(header(await get(keyed, '/api/image/640x480-quiet-wood'), 'location')).toBe(
    header(known, 'location'),
  );
  const { json } = await providersOf(keyed);
  expect(json()).toMatchObject({
    slots: [{ provider: 'unsplash', budget: [{ window: 'hour', limit: 4_500 }] }, {}, {}],
  });
});

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
  const [withSandbox, without] = await Promise.all([askAll(keyless), askAll(keyed)]);
  expect(withSandbox.map(({ status }) => status)).toEqual(withSandbox.map(() => 302));
  for (const answer of withSandbox) await imageBehind(answer);
  for (const { status, body } of without.filter(({ status }) => status !== 302))
    expect([
      [404, 'no_image_found'],
      [502, 'upstream_unavailable'],
    ]).toContainEqual([status, JSON.parse(body).code]);
});

test('no key appears in a response, in the log, or in the fake providers’ records', async () => {
  const remembered = await Promise.all(
    (['pexels', 'pixabay'] as const).map((name) => fakeProviders.requestsTo(name)),
  );
  const described = JSON.stringify(await describeLocal(keyed.url));
  expect(await keyed.stop()).toBe(0);
  expect(keyed.stderr()).toContain('providerFailures');
  const said = JSON.stringify([
    keyed.stderr(),
    described,
    remembered,
    answers.map(({ headers, body }) => [...headers, body]),
  ]);
  expect(answers.length).toBeGreaterThan(30);
  for (const secret of Object.values(secrets)) expect(said).not.toContain(secret);
});
