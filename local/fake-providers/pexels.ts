/** A fake provider of Pexels: search, and an image server that crops. */

import { badKey, type FakeProvider, image, json, notFound, openToPages, plain } from './fake-provider';
import fixture from './fixtures/pexels.json';
import {
  cropOf,
  drawPhoto,
  type Photo,
  photoByNumber,
  type SearchForm,
  searched,
  subjectOf,
  tokenOf,
} from './photos';

const limits = {
  'x-ratelimit-limit': '20000',
  'x-ratelimit-remaining': '19999',
  'x-ratelimit-reset': '1796083200',
};
const faults = {
  fake429: plain('Too Many Requests', 429),
  fake403: plain('Forbidden', 403),
  fakeempty: json(fixture.empty, limits),
};

const form = {
  collection: { provider: 'pexels', isArchive: false },
  words: 'query',
  perPage: { default: 15, max: 80 },
  orientations: { landscape: 'landscape', portrait: 'portrait', square: 'square' },
  faults,
} satisfies SearchForm;

/** Pexels: needs its key alone in `Authorization`, and crops. */
export const pexelsFakeProvider: FakeProvider = {
  keyIn: { header: 'authorization' },

  wordsOf: ({ parameters }) => parameters.get('query') ?? undefined,

  async answer(request) {
    const { path, parameters, headers } = request;
    const subject = subjectOf(/^\/photos\/\d+\/pexels-photo-([\w-]+)\.jpeg$/.exec(path)?.[1]);
    if (subject) return image(await drawPhoto(subject, cropOf(parameters, subject)), openToPages);
    if (!headers['user-agent']) return plain('Forbidden', 403);
    const key = headers['authorization'];
    // The key stands alone, without a scheme.
    if (!key || key === badKey || key.includes(' ')) return plain(fixture.badKey, 401);
    if (path === '/v1/search')
      return searched(form, parameters, (photos) =>
        json({ ...fixture.search, photos: photos.map((photo) => photoOf(photo, request.base)) }, limits),
      );
    const photo = photoByNumber(
      form.collection.provider,
      Number(/^\/v1\/photos\/(\d+)$/.exec(path)?.[1] ?? 0),
    );
    return photo ? json(photoOf(photo, request.base), limits) : notFound;
  },
};

function photoOf(photo: Photo, base: string) {
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
