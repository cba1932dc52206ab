/** A fake Pexels: search, and an image server that crops. Its key stands alone in `Authorization`. */

import { badKey, type FakeProvider, image, json, notFound, openToPages, plain } from './fake-provider';
import {
  type Collection,
  cropOf,
  drawPhoto,
  type Photo,
  photoByNumber,
  type SearchForm,
  searched,
  subjectOf,
  tokenOf,
} from './photos';

const collection: Collection = { provider: 'pexels', isArchive: false };
const form: SearchForm = {
  collection,
  words: 'query',
  perPage: { default: 15, max: 80 },
  orientations: { landscape: 'landscape', portrait: 'portrait', square: 'square' },
  faults: {
    fake429: plain('Too Many Requests', 429),
    fake403: plain('Forbidden', 403),
    fakeempty: json({ total_results: 0, photos: [] }),
  },
};

/** Pexels, as far as its adapter asks it. */
export const pexelsFakeProvider: FakeProvider = {
  keyIn: { header: 'authorization' },
  wordsOf: ({ parameters }) => parameters.get('query') ?? undefined,

  async answer({ path, parameters, headers, base }) {
    const subject = subjectOf(/^\/photos\/\d+\/pexels-photo-([\w-]+)\.jpeg$/.exec(path)?.[1]);
    if (subject) return image(await drawPhoto(subject, cropOf(parameters, subject)), openToPages);
    const { authorization: key, 'user-agent': userAgent } = headers;
    if (!userAgent) return plain('Forbidden', 403);
    if (!key || key === badKey || key.includes(' ')) return plain('Missing API key', 401);
    if (path === '/v1/search')
      return searched(form, parameters, (photos) =>
        json({ page: 1, total_results: 8_000, photos: photos.map((photo) => photoOf(photo, base)) }),
      );
    const photo = photoByNumber(collection, Number(/^\/v1\/photos\/(\d+)$/.exec(path)?.[1]));
    return photo ? json(photoOf(photo, base)) : notFound;
  },
};

function photoOf(photo: Photo, base: string) {
  const { number, title, photographer, handle, widthPx, heightPx } = photo;
  const original = `${base}/photos/${number}/pexels-photo-${tokenOf(photo)}.jpeg`;
  const sized = (query: string) => `${original}?auto=compress&cs=tinysrgb&${query}`;
  return {
    id: number,
    width: widthPx,
    height: heightPx,
    url: `https://www.pexels.com/photo/${number}/`,
    photographer,
    photographer_url: `https://www.pexels.com/@${handle}`,
    avg_color: '#5C575E',
    alt: title,
    src: { original, large: sized('h=650&w=940'), tiny: sized('dpr=1&fit=crop&h=200&w=280') },
  };
}
