/** The adapter of Openverse: credits, licences, copies and searches. */

import { parseSubject } from '../../../lambda/stock/subject';
import fixture from './answers/openverse.json';
import {
  findCandidates,
  neverAborted,
  type ScriptedProvider,
  startScriptedProvider,
} from './scripted-provider';

let openverse: ScriptedProvider;
beforeAll(async () => {
  openverse = await startScriptedProvider('openverse');
});
afterAll(() => openverse?.server.stop());

const [result] = fixture.search.results;
const [sizeless] = fixture.withoutSizes.results;
const search = (results: unknown[], words = 'tree bark') => findCandidates(openverse, { results }, words);

test('an image of Openverse has its credit, licence, links and size', async () => {
  const [candidate] = await search([result]);
  expect(candidate).toEqual({
    id: '4bc43a04-ef46-4544-a0c1-63c63f56e276',
    widthPx: 6_016,
    heightPx: 4_016,
    sourceUrl: 'https://cdn.stocksnap.io/img-thumbs/960w/XNVBVXO3B7.jpg',
    attribution: {
      providerName: 'Openverse',
      creator: 'Jonas Ekeby',
      creatorUrl: 'https://example.org/jonas-ekeby',
      landingUrl: 'https://stocksnap.io/photo/XNVBVXO3B7',
      license: {
        id: 'cc0-1.0',
        name: 'CC0 1.0',
        url: 'https://creativecommons.org/publicdomain/zero/1.0/',
      },
      creditLine: '“Tree Bark Photo” by Jonas Ekeby, CC0 1.0, via Openverse',
    },
    description: {
      rank: 1,
      title: 'Tree Bark Photo',
      tags: ['tree'],
      match: { score: expect.any(Number), coverage: 1 },
    },
  });
});

test.each<[string, object, string, string]>([
  ['title and creator', {}, '“exam tactics” by Aoife Brannigan, CC BY 2.0, via Openverse', 'cc-by-2.0'],
  [
    'a licence without version',
    { title: null, creator: null, license_version: null },
    'Image, CC BY, via Openverse',
    'cc-by',
  ],
  [
    'the public domain',
    { title: null, license: 'pdm', license_version: '1.0', creator: null },
    'Image, Public Domain Mark 1.0, via Openverse',
    'public-domain-mark-1.0',
  ],
])('an image of Openverse with %s has a credit', async (_, change, creditLine, id) => {
  const [candidate] = await search([{ ...sizeless, ...change }]);
  expect(candidate).toMatchObject({ attribution: { creditLine, license: { id } } });
  expect(candidate).not.toHaveProperty('widthPx');
});

const path = '/v1/images/4bc43a04-ef46-4544-a0c1-63c63f56e276/thumb/';
test.each([
  [result, 600, 400, path],
  [result, 601, 400, `${path}?full_size=true`],
  [result, 400, 600, `${path}?full_size=true`],
  [sizeless, 100, 100, expect.stringMatching(/full_size=true$/)],
])('the smallest copy of Openverse that covers the size is fetched', async (item, widthPx, heightPx, url) => {
  const [candidate] = await search([item]);
  const source = openverse.provider.offerImage(candidate, { widthPx, heightPx });
  expect(source?.kind === 'fetch' && source.url.replace(openverse.server.address, '')).toEqual(url);
});

test('Openverse skips unfree, sensitive and drawn images, or those without a valid id', async () => {
  const licences = ['by-nc', 'by-nd', 'by-nc-sa', 'by-nc-nd', 'nc-sampling+', 'by<b>', 'free', 'BY', ''];
  const candidates = await search([
    ...licences.map((license) => ({ ...result, license })),
    { ...result, license_version: '4.0"><script>' },
    { ...result, mature: true },
    { ...result, unstable__sensitivity: ['user_reported_sensitivity'] },
    { ...result, filetype: 'svg' },
    { ...result, category: 'illustration' },
    { ...result, category: 'digitized_artwork' },
    { ...result, id: '../../v1/secrets' },
    { ...result, id: 1 },
    { ...result, url: 'ftp://images.example/a' },
    null,
  ]);
  expect(candidates).toEqual([]);
});

test.each<[string, string, readonly number[], readonly (string | number)[]]>([
  ['once, where enough is found', 'a red boat on the lake', [5], [5, 'q=red boat lake']],
  ['once, for one word', 'boat', [1], [1, 'q=boat']],
  [
    'in titles and tags, where too little is found',
    'red boat',
    [1, 2, 3],
    [6, 'q=red boat', 'title=red boat', 'tags=red boat'],
  ],
  ['without operators', 'Lake OR "dead -sea" | (boat)', [5], [5, 'q=lake sea boat']],
])('Openverse is searched %s', async (_, words, counts, expected) => {
  const bodies = counts.map((count) => ({
    results: Array.from({ length: count }, (_, n) => ({
      ...result,
      id: `4bc43a04-ef46-4544-a0c1-${String(count * 100 + n).padStart(12, '0')}`,
      title: 'Red boat on a lake',
    })),
  }));
  openverse.answer(() => ({ body: bodies.shift() ?? { results: [] } }));
  const requestsBefore = openverse.requests.length;
  const query = { subject: parseSubject(words), orientation: 'landscape' } as const;
  const candidates = await openverse.provider.search(query, neverAborted, async () => true);
  const fields = openverse.requests.slice(requestsBefore).map(({ url: { searchParams } }) => {
    const field = ['q', 'title', 'tags'].find((name) => searchParams.has(name)) ?? '';
    return `${field}=${searchParams.get(field)}`;
  });
  expect([candidates.length, ...fields]).toEqual(expected);
});

test.each([
  [403, fixture.forbidden, 'unauthorized'],
  [400, fixture.badRequest, 'rejected'],
  [429, fixture.rateLimit, 'throttled'],
  [200, JSON.stringify({ results: 'x'.repeat(4_000_000) }), 'malformed'],
  [204, '', 'malformed'],
  [408, '', 'unavailable'],
  [499, '', 'rejected'],
  [500, '', 'unavailable'],
])('a reply of Openverse with status %i is a failure of its kind', async (status, body, kind) => {
  expect((await openverse.findFailure({ status, body })).kind).toBe(kind);
});

test.each([
  ['60', 60_000],
  ['0', 0],
  ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
])('Retry-After: %s of Openverse is a pause of %s ms', async (retryAfter, retryAfterMs) => {
  const headers = { 'retry-after': retryAfter };
  expect((await openverse.findFailure({ status: 503, headers, body: '' })).retryAfterMs).toBe(retryAfterMs);
});
