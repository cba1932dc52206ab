/** The adapter of Unsplash: hotlinks, reports of uses, referral links and errors. */

import fixture from './answers/unsplash.json';
import {
  findCandidates,
  neverAborted,
  type ScriptedProvider,
  startScriptedProvider,
} from './scripted-provider';

const size = { widthPx: 1_920, heightPx: 1_080 };
const [photo] = fixture.search.results;

let unsplash: ScriptedProvider;
beforeAll(async () => {
  unsplash = await startScriptedProvider('unsplash');
});
afterAll(() => unsplash?.server.stop());

const findFirst = (body: unknown = fixture.search) =>
  findCandidates(unsplash, body).then(([candidate]) => candidate);

test('a redirect of Unsplash is not followed, because it would get the key', async () => {
  const requestsBefore = unsplash.requests.length;
  const moved = { status: 302, headers: { location: '/elsewhere' }, body: '' };
  expect((await unsplash.findFailure(moved)).kind).toBe('unavailable');
  expect(unsplash.requests).toHaveLength(requestsBefore + 1);
});

test.each([
  ['attention', 'entropy'],
  ['faces', 'faces'],
  ['left', 'left'],
  ['top', 'top'],
  ['center', undefined],
] as const)(
  'a redirect to Unsplash has the whole photo URL with the crop %s as %s',
  async (position, crop) => {
    const source = unsplash.provider.offerImage(await findFirst(), size, position);
    const url = new URL(source?.kind === 'hotlink' ? source.url : '');
    expect(url.origin + url.pathname).toBe('https://images.unsplash.com/photo-1468820965834-2a600bffd29d');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ixid: 'MnwxMjA3fDB8MHx',
      ixlib: 'rb-4.0.3',
      w: '1920',
      h: '1080',
      fit: 'crop',
      auto: 'format',
      q: '80',
      ...(crop && { crop }),
    });
  },
);

test('Unsplash credits the photographer and itself with referral links', async () => {
  const { attribution, description } = await findFirst({
    results: [{ ...photo, description: 'A lake', tags: [{ title: 'water' }] }],
  });
  expect(attribution).toEqual({
    providerName: 'Unsplash',
    creator: 'Maren Quist',
    creatorUrl: 'https://unsplash.com/@marenquist?utm_source=image-redirect&utm_medium=referral',
    landingUrl: 'https://unsplash.com/photos/Dwu85P9SOIk?utm_source=image-redirect&utm_medium=referral',
    license: { id: 'unsplash', name: 'Unsplash License', url: 'https://unsplash.com/license' },
    creditLine: 'Photo by Maren Quist on Unsplash',
  });
  const texts = { title: 'A lake', alt: photo?.alt_description, tags: ['water'], color: '#6e633a' };
  expect(description).toMatchObject(texts);
});

test('any photo of Unsplash with a URL is shown', async () => {
  const bare = { id: 'bare', width: null, urls: { raw: 'https://images.unsplash.com/b?ixid=1' } };
  const candidate = await findFirst({ results: [{ id: 'none' }, null, bare] });
  expect(candidate).toMatchObject({ id: 'bare', attribution: { creditLine: 'Photo on Unsplash' } });
  expect(candidate).not.toHaveProperty('widthPx');
  expect(candidate.attribution).not.toHaveProperty('creatorUrl');
  expect(unsplash.provider.offerImage(candidate, size)).toMatchObject({ reportUrl: undefined });
});

test('a photo of Unsplash is read by its id with key and version in headers', async () => {
  unsplash.answer({ body: photo });
  expect(await unsplash.provider.findById?.('a/b?c', neverAborted)).toMatchObject({ id: 'Dwu85P9SOIk' });
  expect(unsplash.requests.at(-1)).toMatchObject({
    url: { pathname: '/photos/a%2Fb%3Fc' },
    headers: { authorization: 'Client-ID the-key', 'accept-version': 'v1' },
  });
});

test('a use is reported to Unsplash at the URL of the photo, with the key', async () => {
  const reportUrl = `${unsplash.server.address}/photos/Dwu85P9SOIk/download?ixid=MnwxMjA3fDB8MHx`;
  const candidate = await findFirst({
    results: [{ ...photo, links: { ...photo?.links, download_location: reportUrl } }],
  });
  expect(unsplash.provider.offerImage(candidate, size)).toMatchObject({ reportUrl });
  const requestsBefore = unsplash.requests.length;
  unsplash.answer({ body: fixture.download });
  await unsplash.provider.reportUse?.(reportUrl, neverAborted);
  const listSentUrls = () =>
    unsplash.requests.slice(requestsBefore).map(({ url, headers }) => [url.href, headers['authorization']]);
  expect(listSentUrls()).toEqual([[reportUrl, 'Client-ID the-key']]);
  for (const elsewhere of ['https://elsewhere.example/photos/1/download', 'nonsense', 'http://127.0.0.1:1/'])
    await expect(unsplash.provider.reportUse?.(elsewhere, neverAborted)).rejects.toMatchObject({
      kind: 'rejected',
    });
  expect(listSentUrls()).toHaveLength(1);
});

test.each([
  [403, fixture.rateLimit, 'throttled'],
  [403, fixture.forbidden, 'unauthorized'],
  [401, fixture.badKey, 'unauthorized'],
  [410, fixture.spam, 'rejected'],
])('a refusal of Unsplash with status %i is read from its text', async (status, body, kind) => {
  expect((await unsplash.findFailure({ status, body })).kind).toBe(kind);
});
