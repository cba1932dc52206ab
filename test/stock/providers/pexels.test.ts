/** The adapter of Pexels. */

import fixture from './answers/pexels.json';
import { findCandidates, type ScriptedProvider, startScriptedProvider } from './scripted-provider';

let pexels: ScriptedProvider;
beforeAll(async () => {
  pexels = await startScriptedProvider('pexels');
});
afterAll(() => pexels?.server.stop());

const [photo] = fixture.search.photos;
const whole = 'https://images.pexels.com/photos/1619317/pexels-photo-1619317.jpeg?auto=compress&cs=tinysrgb';

test.each([
  ['attention', 1_080, 1_350, 'hotlink', `${whole}&fit=crop&w=1080&h=1350`],
  ['top', 1_080, 1_350, 'fetch', `${whole}&w=2033&h=1350`],
  ['left', 6_400, 100, 'fetch', `${whole}&w=3200&h=2125`],
] as const)('Pexels offers the crop %s to %i × %i as a %s', async (crop, widthPx, heightPx, kind, url) => {
  const [candidate] = await findCandidates(pexels, fixture.search);
  expect(pexels.provider.offerImage(candidate, { widthPx, heightPx }, crop)).toEqual({ kind, url });
});

test('Pexels crops an image of unknown size itself', async () => {
  const [candidate] = await findCandidates(pexels, { photos: [{ ...fixture.minimal, width: null }] });
  const source = pexels.provider.offerImage(candidate, { widthPx: 100, heightPx: 100 }, 'top');
  expect(source).toMatchObject({ kind: 'hotlink' });
});

test('a photo of Pexels is credited to its photographer, if one is named', async () => {
  const photos = [photo, { ...photo, photographer: '' }, fixture.minimal];
  const [named, unnamed, older] = await findCandidates(pexels, { photos });
  expect(named.attribution).toEqual({
    providerName: 'Pexels',
    creator: 'Ilja Sandvik',
    creatorUrl: 'https://www.pexels.com/@iljasandvik',
    landingUrl: 'https://www.pexels.com/photo/red-canoes-on-sea-dock-near-calm-body-of-water-1619317/',
    license: { id: 'pexels', name: 'Pexels License', url: 'https://www.pexels.com/license/' },
    creditLine: 'Photo by Ilja Sandvik on Pexels',
  });
  expect(named.description).toMatchObject({ rank: 1, alt: photo?.alt, lang: 'en', color: '#5c575e' });
  expect(unnamed?.attribution).toMatchObject({ creditLine: 'Photo on Pexels' });
  expect(unnamed?.attribution).not.toHaveProperty('creator');
  expect(older).toMatchObject({ id: '1388030', widthPx: 6_109 });
  expect(pexels.requests.at(-1)?.headers).toMatchObject({ authorization: 'the-key' });
});
