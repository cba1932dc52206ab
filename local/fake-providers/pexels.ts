/** A fake provider of Pexels: search, and an image server that crops. */

import { cropOf, drawPhoto } from './draw-photo';
import {
  badKey,
  type FakeProvider,
  type FakeProviderRequest,
  image,
  json,
  notFound,
  plain,
} from './fake-provider';
import fixture from './fixtures/pexels.json';
import {
  type FakeProviderOrientation,
  type FakeProviderPhoto,
  photoByNumber,
  photosFor,
  subjectOf,
  tokenOf,
} from './photo-catalogue';

const perPageMax = 80;
const limits = {
  'x-ratelimit-limit': '20000',
  'x-ratelimit-remaining': '19999',
  'x-ratelimit-reset': '1796083200',
};

const collection = { provider: 'pexels', isArchive: false };

export const pexelsFakeProvider: FakeProvider = {
  keyIn: { header: 'authorization' },

  wordsOf: ({ parameters }) => parameters.get('query') ?? undefined,

  async answer(request) {
    const { path, parameters, headers } = request;
    const subject = subjectOf(/^\/photos\/\d+\/pexels-photo-([\w-]+)\.jpeg$/.exec(path)?.[1] ?? '');
    if (subject) return image(await drawPhoto(subject, cropOf(parameters, subject)));
    if (!headers['user-agent']) return plain('Forbidden', 403);
    const key = headers['authorization'];
    // The key stands alone, without a scheme.
    if (!key || key === badKey || key.includes(' ')) return plain(fixture.badKey, 401);
    if (path === '/v1/search') return search(request);
    const photo = photoByNumber(collection.provider, Number(/^\/v1\/photos\/(\d+)$/.exec(path)?.[1] ?? 0));
    return photo ? json(photoOf(photo, request.base), limits) : notFound;
  },
};

function search({ parameters, base }: FakeProviderRequest) {
  const words = parameters.get('query') ?? '';
  if (words.includes('fake429')) return plain('Too Many Requests', 429);
  if (words.includes('fake403')) return plain('Forbidden', 403);
  if (words.includes('fakeempty')) return json(fixture.empty, limits);
  const count = Math.min(Number(parameters.get('per_page') ?? 15), perPageMax);
  const orientation = (parameters.get('orientation') ?? 'any') as FakeProviderOrientation;
  const photos = photosFor(collection, words, orientation, count).map((photo) => photoOf(photo, base));
  return json({ ...fixture.search, photos }, limits);
}

function photoOf(photo: FakeProviderPhoto, base: string) {
  const { number } = photo;
  const original = `${base}/photos/${number}/pexels-photo-${tokenOf(photo)}.jpeg`;
  const sized = (query: string) => `${original}?auto=compress&cs=tinysrgb&${query}`;
  return {
    ...fixture.search.photos[0],
    id: number,
    width: photo.widthPx,
    height: photo.heightPx,
    url: `https://www.pexels.com/photo/${number}/`,
    photographer: photo.photographer,
    photographer_url: `https://www.pexels.com/@${photo.handle}`,
    alt: photo.title,
    src: { original, large: sized('h=650&w=940'), tiny: sized('dpr=1&fit=crop&h=200&w=280') },
  };
}
