/** The operator's photographs as a provider: their credits, descriptions and files. */

import { requireStoredPath, type StoredPath } from '../../../lambda/images/stored-path';
import type { Photo } from '../../../lambda/stock/library/manage-photos';
import { createPhotoIndex } from '../../../lambda/stock/library/photo-index';
import { createPhotoProvider } from '../../../lambda/stock/providers/library';
import { parseSubject } from '../../../lambda/stock/subject';
import { neverAborted } from './scripted-provider';

const path = requireStoredPath(`library/aa/${'a'.repeat(20)}.jpg`);
const makePhoto = (change: Partial<Photo> = {}): Photo => ({
  id: 'a'.repeat(20),
  file: 'lake.jpg',
  title: 'Lake',
  keywords: ['water'],
  width: 1_200,
  height: 800,
  addedAt: '2026-11-21T12:00:00Z',
  stems: 'lake water',
  path,
  ...change,
});
const createProviderWith = (photos: readonly Photo[]) =>
  createPhotoProvider({ readPhotoIndex: async () => createPhotoIndex(photos) });
const searchWords = (provider: ReturnType<typeof createProviderWith>, query = 'lake') =>
  provider.search({ subject: parseSubject(query), orientation: 'landscape' }, neverAborted);

test.each<[string, Partial<Photo>, string, string]>([
  ['no rights', {}, 'All rights reserved', 'library'],
  ['a copyright', { copyright: '© Acme' }, '© Acme', 'library'],
  ['a creator', { creator: 'Ann' }, 'Photo: Ann', 'library'],
  ['a creator and a copyright', { creator: 'Ann', copyright: '© Acme' }, 'Photo: Ann, © Acme', 'library'],
  ['a creator and a licence', { creator: 'Ann', license: 'CC BY 4.0' }, 'Photo: Ann, CC BY 4.0', 'cc-by-4.0'],
  ['a licence and a copyright', { license: 'CC BY 4.0', copyright: '© Acme' }, '© Acme', 'cc-by-4.0'],
  ['a creator and a free licence', { creator: 'Ann', license: 'CC0' }, 'Photo: Ann', 'cc0'],
  ['a free licence', { license: 'CC0' }, 'CC0', 'cc0'],
  ['another licence', { license: 'Ask us' }, 'Ask us', 'library'],
])('a photograph with %s has a credit and a licence', async (_, said, creditLine, id) => {
  const provider = createProviderWith([makePhoto(said)]);
  const [found] = await searchWords(provider);
  expect(found?.attribution).toMatchObject({ providerName: 'Library', creditLine, license: { id } });
});

test('photographs of the library are described by their texts, best match first', async () => {
  const texts = { description: 'At dawn', creator: 'Ann', landingUrl: 'https://acme.example/lake' };
  const other = makePhoto({ id: 'b'.repeat(20), title: 'Water', stems: 'water' });
  const provider = createProviderWith([other, makePhoto(texts)]);
  const [lake, water] = await searchWords(provider, 'lake water');
  expect(lake).toMatchObject({
    id: 'a'.repeat(20),
    widthPx: 1_200,
    heightPx: 800,
    attribution: { creator: 'Ann', landingUrl: texts.landingUrl },
    description: { rank: 1, title: 'Lake', alt: 'At dawn', tags: ['water'], match: { coverage: 1 } },
  });
  expect(water).toMatchObject({ id: other.id, description: { rank: 2 } });
  expect(water?.attribution).not.toHaveProperty('landingUrl');
  expect(lake && provider.offerImage(lake, { widthPx: 4_000, heightPx: 100 })).toEqual({
    kind: 'stored',
    path,
  });
  const elsewhere = makePhoto({ path: '../secret.jpg' as StoredPath });
  const [outside] = await searchWords(createProviderWith([elsewhere]));
  expect(outside && provider.offerImage(outside, { widthPx: 100, heightPx: 100 })).toBeUndefined();
});
