/** Particulars of Unsplash: hotlinks with tracking parameters, reports, referral links, odd errors. */

import fixture from './answers/unsplash.json';
import { found, never, type ScriptedProvider, startScriptedProvider } from './scripted-provider';

const size = { widthPx: 1_920, heightPx: 1_080 };
const [photo] = fixture.search.results;

let unsplash: ScriptedProvider;
beforeAll(async () => {
  unsplash = await startScriptedProvider('unsplash');
});
afterAll(() => unsplash?.server.stop());

const first = (body: unknown = fixture.search) => found(unsplash, body).then(([candidate]) => candidate);

test('a redirect of Unsplash is not followed, because it would get the key', async () => {
  const before = unsplash.asked.length;
  const moved = { status: 302, headers: { location: '/elsewhere' }, body: '' };
  expect((await unsplash.failureOf(moved)).kind).toBe('unavailable');
  expect(unsplash.asked).toHaveLength(before + 1);
});

test.each([
  ['attention', 'entropy'],
  ['faces', 'faces'],
  ['left', 'left'],
  ['top', 'top'],
  ['center', undefined],
] as const)(
  'Unsplash redirects to the photo with all of its URL, cropped for %s by %s',
  async (position, crop) => {
    const source = unsplash.provider.offerImage(await first(), size, position);
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
  const { attribution, description } = await first({
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
  const said = { title: 'A lake', alt: photo?.alt_description, tags: ['water'], color: '#6e633a' };
  expect(description).toMatchObject(said);
});

test('Unsplash takes any photo that has a URL', async () => {
  const bare = { id: 'bare', width: null, urls: { raw: 'https://images.unsplash.com/b?ixid=1' } };
  const candidate = await first({ results: [{ id: 'none' }, null, bare] });
  expect(candidate).toMatchObject({ id: 'bare', attribution: { creditLine: 'Photo on Unsplash' } });
  expect(candidate).not.toHaveProperty('widthPx');
  expect(candidate.attribution).not.toHaveProperty('creatorUrl');
  expect(unsplash.provider.offerImage(candidate, size)).toMatchObject({ reportUrl: undefined });
});

test('Unsplash sends its key and version in headers when it describes a photo by its id', async () => {
  unsplash.answer({ body: photo });
  expect(await unsplash.provider.findById?.('a/b?c', never)).toMatchObject({ id: 'Dwu85P9SOIk' });
  expect(unsplash.asked.at(-1)).toMatchObject({
    url: { pathname: '/photos/a%2Fb%3Fc' },
    headers: { authorization: 'Client-ID the-key', 'accept-version': 'v1' },
  });
});

test('Unsplash has the use of a photo reported at the URL that it names, with the key', async () => {
  const reportUrl = `${unsplash.server.address}/photos/Dwu85P9SOIk/download?ixid=MnwxMjA3fDB8MHx`;
  const candidate = await first({
    results: [{ ...photo, links: { ...photo?.links, download_location: reportUrl } }],
  });
  expect(unsplash.provider.offerImage(candidate, size)).toMatchObject({ reportUrl });
  const before = unsplash.asked.length;
  unsplash.answer({ body: fixture.download });
  await unsplash.provider.reportUse?.(reportUrl, never);
  const sent = () =>
    unsplash.asked.slice(before).map(({ url, headers }) => [url.href, headers['authorization']]);
  expect(sent()).toEqual([[reportUrl, 'Client-ID the-key']]);
  for (const elsewhere of ['https://elsewhere.example/photos/1/download', 'nonsense', 'http://127.0.0.1:1/'])
    await expect(unsplash.provider.reportUse?.(elsewhere, never)).rejects.toMatchObject({
      kind: 'rejected',
    });
  expect(sent()).toHaveLength(1);
});

test.each([
  [403, fixture.rateLimit, 'throttled'],
  [403, fixture.forbidden, 'unauthorized'],
  [401, fixture.badKey, 'unauthorized'],
  [410, fixture.spam, 'rejected'],
])('Unsplash distinguishes its refusals: %i', async (status, body, kind) => {
  expect((await unsplash.failureOf({ status, body })).kind).toBe(kind);
});
