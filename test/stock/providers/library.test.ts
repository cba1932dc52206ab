/** The operator's photographs as a provider: read once, found by words, and credited as they say. */

import { type StoredPath, toStoredPath } from '../../../lambda/images/stored-path';
import type { Photo } from '../../../lambda/stock/library/manage-photos';
import { createPhotoIndex } from '../../../lambda/stock/library/photo-index';
import { createPhotoProvider } from '../../../lambda/stock/providers/library';
import { readSubject } from '../../../lambda/stock/subject';
import { never } from './scripted-provider';

const path = toStoredPath(`library/aa/${'a'.repeat(20)}.jpg`);
const photo = (change: Partial<Photo> = {}): Photo => ({
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
const providerOf = (photos: readonly Photo[]) =>
  createPhotoProvider({ readPhotoIndex: async () => createPhotoIndex(photos) });
const searched = (provider: ReturnType<typeof providerOf>, query = 'lake') =>
  provider.search({ subject: readSubject(query), orientation: 'landscape' }, never);

test.each<[Partial<Photo>, string, string]>([
  [{}, 'All rights reserved', 'library'],
  [{ copyright: '© Acme' }, '© Acme', 'library'],
  [{ creator: 'Ann' }, 'Photo: Ann', 'library'],
  [{ creator: 'Ann', copyright: '© Acme' }, 'Photo: Ann, © Acme', 'library'],
  [{ creator: 'Ann', license: 'CC BY 4.0' }, 'Photo: Ann, CC BY 4.0', 'cc-by-4.0'],
  [{ license: 'CC BY 4.0', copyright: '© Acme' }, '© Acme', 'cc-by-4.0'],
  [{ creator: 'Ann', license: 'CC0' }, 'Photo: Ann', 'cc0'],
  [{ license: 'CC0' }, 'CC0', 'cc0'],
  [{ license: 'Ask us' }, 'Ask us', 'library'],
])('a photograph with the texts %j is credited as "%s", under %s', async (said, creditLine, id) => {
  const provider = providerOf([photo(said)]);
  const [found] = await searched(provider);
  expect(found?.attribution).toMatchObject({ providerName: 'Library', creditLine, license: { id } });
});

test('the library describes its photographs by their texts, best match first', async () => {
  const said = { description: 'At dawn', creator: 'Ann', landingUrl: 'https://acme.example/lake' };
  const other = photo({ id: 'b'.repeat(20), title: 'Water', stems: 'water' });
  const provider = providerOf([other, photo(said)]);
  const [lake, water] = await searched(provider, 'lake water');
  expect(lake).toMatchObject({
    id: 'a'.repeat(20),
    widthPx: 1_200,
    heightPx: 800,
    attribution: { creator: 'Ann', landingUrl: said.landingUrl },
    description: { rank: 1, title: 'Lake', alt: 'At dawn', tags: ['water'], match: { coverage: 1 } },
  });
  expect(water).toMatchObject({ id: other.id, description: { rank: 2 } });
  expect(water?.attribution).not.toHaveProperty('landingUrl');
  expect(lake && provider.offerImage(lake, { widthPx: 4_000, heightPx: 100 })).toEqual({
    kind: 'stored',
    path,
  });
  const elsewhere = photo({ path: '../secret.jpg' as StoredPath });
  const [outside] = await searched(providerOf([elsewhere]));
  expect(outside && provider.offerImage(outside, { widthPx: 100, heightPx: 100 })).toBeUndefined();
});
