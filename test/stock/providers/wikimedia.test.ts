/** Particulars of Wikimedia Commons: thumbnail widths, licences by name, HTML, errors with status 200. */

import { chooseCopyUrl } from '../../../lambda/stock/providers/wikimedia';
import fixture from './answers/wikimedia.json';
import { findCandidates, type ScriptedProvider, startScriptedProvider } from './scripted-provider';

const [page] = fixture.search.query.pages;
const [info] = page?.imageinfo ?? [];

let wikimedia: ScriptedProvider;
beforeAll(async () => {
  wikimedia = await startScriptedProvider('wikimedia');
});
afterAll(() => wikimedia?.server.stop());

const search = (body: unknown, words = 'meadow') => findCandidates(wikimedia, body, words);
const makeReply = (...changes: object[]) => ({
  query: {
    pages: changes.map((change, index) => ({
      ...page,
      pageid: index + 1,
      index: index + 1,
      imageinfo: [{ ...info, ...change }],
    })),
  },
});
const makeMetadata = (values: Record<string, string>) => ({
  extmetadata: {
    ...info?.extmetadata,
    ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
  },
});
const listIds = (candidates: readonly { readonly id: string }[]) => candidates.map(({ id }) => id);

test('an image of Wikimedia Commons has its credit, title, description and categories', async () => {
  const texts = {
    ImageDescription: '<p>Hay\u0007 in <b>June</b></p>',
    Categories:
      'Meadows|CC-BY-SA-4.0|Files with coordinates missing SDC location of creation|Pages with maps|Featured pictures on Wikimedia Commons',
  };
  const [first, unnamed] = await search(makeReply(makeMetadata(texts), makeMetadata({ Artist: '' })));
  expect(first.attribution).toEqual({
    providerName: 'Wikimedia Commons',
    creator: 'Runa Teig',
    landingUrl: 'https://commons.wikimedia.org/wiki/File:Meadow.jpg',
    license: {
      id: 'cc-by-sa-4.0',
      name: 'CC BY-SA 4.0',
      url: 'https://creativecommons.org/licenses/by-sa/4.0',
    },
    creditLine: '“Meadow” by Runa Teig, CC BY-SA 4.0, via Wikimedia Commons',
  });
  expect(first.description).toMatchObject({
    title: 'Meadow',
    alt: 'Hay in June',
    tags: ['Meadows'],
    isFeatured: true,
  });
  expect(unnamed?.attribution.creditLine).toBe('“Meadow”, CC BY-SA 4.0, via Wikimedia Commons');
  expect(unnamed?.attribution).not.toHaveProperty('creator');
});

test('images of Wikimedia Commons are in the order of the search', async () => {
  const pages = [3, 1, 2].map((index) => ({ ...page, pageid: index * 10, index }));
  expect(listIds(await search({ query: { pages } }))).toEqual(['10', '20', '30']);
  expect(listIds(await search({ query: { pages: { 7: { ...page, pageid: 7 } } } }))).toEqual(['7']);
  expect(await search(fixture.older)).toEqual([]); // It names neither size nor licence.
  expect(await search(fixture.empty)).toEqual([]);
});

test('Wikimedia Commons shows another orientation if no image has the wanted one', async () => {
  const portrait = { width: 3_000, height: 4_000 };
  expect(listIds(await search(makeReply(portrait, {}, portrait)))).toEqual(['2']);
  expect(listIds(await search(makeReply(portrait, portrait)))).toEqual(['1', '2']);
});

test.each([
  ['CC0', 'cc0'],
  ['CC BY 4.0', 'cc-by-4.0'],
  ['CC BY-SA 3.0 de', 'cc-by-sa-3.0-de'],
  ['CC BY-SA', 'cc-by-sa'],
  ['Public domain', 'public-domain'],
  ['PD-US', 'public-domain'],
  ['PD', 'public-domain'],
  ['No restrictions', 'no-restrictions'],
  ['No known copyright restrictions', 'no-known-copyright-restrictions'],
  ...['CC BY-NC 2.0', 'CC BY-ND 4.0', 'GFDL 1.2', 'Fair use', ''].map((name) => [name, undefined]),
])('the licence %j of Wikimedia Commons is read as %s', async (LicenseShortName = '', id) => {
  const candidates = await findCandidates(wikimedia, makeReply(makeMetadata({ LicenseShortName })));
  expect(candidates.map(({ attribution }) => attribution.license.id)).toEqual(id === undefined ? [] : [id]);
});

test('Wikimedia Commons shows only JPEG, PNG and WebP files of a known size', async () => {
  const types = ['application/pdf', 'image/svg+xml', 'image/gif', 'video/webm', undefined];
  const candidates = await search(
    makeReply(
      ...[{ mime: 'image/png' }, { width: 0 }, { height: null }, { mime: 'image/webp' }],
      ...types.map((mime) => ({ mime })),
    ),
  );
  expect(listIds(candidates)).toEqual(['1', '4']);
});

const searchFilters = 'filetype:bitmap filew:>1600 fileh:>900';
test.each<[string, unknown, string, readonly unknown[], readonly string[]]>([
  [
    'without its keywords',
    fixture.empty,
    'lake insource:/x/ intitle:"a|b"',
    [
      `lake insource intitle ${searchFilters}`,
      `insource intitle ${searchFilters}`,
      `lake insure invite ${searchFilters}`,
    ],
    [],
  ],
  [
    'for fewer words if too few images have all words',
    makeReply({}, { width: 3_000, height: 4_000 }, {}),
    'a blue meadow in the alps',
    [`blue meadow alps ${searchFilters}`, expect.stringMatching(/^\w+ \w+ filetype/)],
    ['1', '3'],
  ],
])('Wikimedia Commons is searched %s', async (_, body, words, searches, ids) => {
  const requestsBefore = wikimedia.requests.length;
  expect(listIds(await search(body, words))).toEqual(ids);
  const sentSearches = wikimedia.requests
    .slice(requestsBefore)
    .map(({ url }) => url.searchParams.get('gsrsearch'));
  expect(sentSearches).toEqual(searches);
});

test.each([
  ['ratelimited', 'throttled'],
  ['maxlag', 'throttled'],
  ['cirrussearch-too-busy-error', 'throttled'],
  ['internal_api_error_DBQueryError', 'unavailable'],
  ['cirrussearch-backend-error', 'unavailable'],
  ['readonly', 'unavailable'],
  ['timeout', 'unavailable'],
  ['nosuchaction', 'rejected'],
])('the error %s of Wikimedia Commons with status 200 is read as %s', async (code, kind) => {
  expect((await wikimedia.findFailure({ body: { error: { code } } })).kind).toBe(kind);
});

const original = { widthPx: 8_000, heightPx: 5_000, url: info?.url ?? '' };
test.each<[number, string, number?, number?]>([
  [20, '20'],
  [21, '40'],
  [1_920, '1920'],
  [1_921, '3840'],
  [3_840, '3840'],
  [3_841, 'original'],
  [5_000, 'original'],
  // As wide as the original, or wider.
  [1_000, 'original', 1_280],
  [1_000, '1280', 1_281],
  [1_000, 'original', 1_100],
  // An image that is 1,000 pixels high is 1,600 pixels wide.
  [100, '1920', 8_000, 1_000],
])('an image of %i pixels is fetched in the width %s', (widthPx, step, originalPx = 8_000, heightPx = 1) => {
  const url = chooseCopyUrl({ ...original, widthPx: originalPx }, info?.thumburl, { widthPx, heightPx });
  expect(url).toBe(step === 'original' ? original.url : info?.thumburl.replace('1920px', `${step}px`));
});

test('a file of Wikimedia Commons is offered in the step that covers the size', async () => {
  expect(chooseCopyUrl(original, undefined, { widthPx: 500, heightPx: 1 })).toBe(original.url);
  const [candidate] = await search(makeReply({ width: 3_000, height: 2_000 }));
  const { widthPx: _, ...unmeasured } = candidate;
  const size = { widthPx: 500, heightPx: 100 };
  expect(wikimedia.provider.offerImage(unmeasured, size)).toBeUndefined();
  const url = info?.thumburl.replace('1920px', '500px');
  expect(wikimedia.provider.offerImage(candidate, size)).toEqual({ kind: 'fetch', url });
});
