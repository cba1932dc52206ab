/** The adapter of Pixabay. It has no hotlinks, its key is in the URL, and its errors are plain text. */

import fixture from './answers/pixabay.json';
import {
  findCandidates,
  neverAborted,
  type ScriptedProvider,
  startScriptedProvider,
} from './scripted-provider';

let pixabay: ScriptedProvider;
beforeAll(async () => {
  pixabay = await startScriptedProvider('pixabay');
});
afterAll(() => pixabay?.server.stop());

const [hit] = fixture.search.hits;
const search = (hits: unknown[], words?: string) =>
  findCandidates(pixabay, { ...fixture.search, hits }, words);
const { fullHDURL, imageURL } = fixture.fullAccess;

test.each([
  [{}, 640, 360, hit?.webformatURL],
  [{}, 641, 360, hit?.largeImageURL],
  [{}, 2_560, 1_440, hit?.largeImageURL],
  [fixture.fullAccess, 1_281, 100, fullHDURL],
  [fixture.fullAccess, 1_921, 100, imageURL],
])(
  'Pixabay fetches the smallest rendition that covers the size: of %j at %i × %i',
  async (change, widthPx, heightPx, url) => {
    const [candidate] = await search([{ ...hit, ...change }]);
    expect(pixabay.provider.offerImage(candidate, { widthPx, heightPx })).toEqual({ kind: 'fetch', url });
  },
);

test('a long query for Pixabay is cut after a whole word', async () => {
  await search([hit], `${'mountain '.repeat(11)}lakes`);
  expect(pixabay.requests.at(-1)?.url.searchParams.get('q')).toBe('mountain '.repeat(11).trim());
});

test('Pixabay skips AI images, low quality, adult content and unknown sizes', async () => {
  const candidates = await search([
    { ...hit, id: 1, isAiGenerated: true },
    { ...hit, id: 2, isLowQuality: true },
    { ...hit, id: 3, isGRated: false },
    { ...hit, imageWidth: 0 },
    { ...hit, imageHeight: null },
    { ...hit, id: 4, isGRated: undefined },
  ]);
  expect(candidates).toMatchObject([
    { id: '4', description: { rank: 6, tags: ['blossom', 'bloom', 'flower'] } },
  ]);
});

test.each([
  ['a plain name', {}, 'https://pixabay.com/users/tuva_holm-48777/', 'Image by tuva_holm from Pixabay'],
  [
    'a space in the name',
    { user: 'tuva holm' },
    'https://pixabay.com/users/tuva%20holm-48777/',
    'Image by tuva holm from Pixabay',
  ],
  [
    'a profile',
    { userURL: 'https://pixabay.com/u/1' },
    'https://pixabay.com/u/1',
    'Image by tuva_holm from Pixabay',
  ],
  [
    'tags in the name',
    { user: '<b>tuva</b>' },
    'https://pixabay.com/users/tuva-48777/',
    'Image by tuva from Pixabay',
  ],
  ['a name only', { user_id: null }, undefined, 'Image by tuva_holm from Pixabay'],
  ['an empty name', { user: ' ' }, undefined, 'Image from Pixabay'],
])('a photo of Pixabay with %s has a profile and a credit', async (_, change, creatorUrl, creditLine) => {
  const [{ attribution }] = await search([{ ...hit, ...change }]);
  expect([attribution.creatorUrl, attribution.creditLine]).toEqual([creatorUrl, creditLine]);
});

test('a refused id of Pixabay is an image that is gone', async () => {
  pixabay.answer({ status: 400, body: '[ERROR 400] "id" is out of valid range.' });
  expect(await pixabay.provider.findById?.('1', neverAborted)).toBeUndefined();
  const parameters = Object.fromEntries(pixabay.requests.at(-1)?.url.searchParams ?? []);
  expect(parameters).toEqual({ key: 'the-key', id: '1' });
  pixabay.answer({ status: 400, body: fixture.badKey });
  await expect(pixabay.provider.findById?.('1', neverAborted)).rejects.toMatchObject({
    kind: 'unauthorized',
  });
});

test.each([
  [400, fixture.badKey, 'unauthorized'],
  [400, fixture.badPage, 'rejected'],
  [429, fixture.rateLimit, 'throttled'],
])('a refusal of Pixabay is read from its text: %i %s', async (status, body, kind) => {
  expect((await pixabay.findFailure({ status, body })).kind).toBe(kind);
});

test('an error of Pixabay never contains the URL with the key', async () => {
  const reset = { status: 302, headers: { location: '/elsewhere?key=the-key' }, body: '' };
  for (const script of [reset, { status: 400, body: 'the-key' }, { status: 200, body: 'the-key' }]) {
    const { message, stack, cause } = await pixabay.findFailure(script);
    expect(JSON.stringify([message, stack, cause])).not.toContain('the-key');
  }
});
