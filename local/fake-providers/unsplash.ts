/** A fake provider of Unsplash: search, the download ping, and an image server that crops like imgix. */

import { badKey, type FakeProvider, image, json, notFound, openToPages, plain } from './fake-provider';
import fixture from './fixtures/unsplash.json';
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

const limits = { 'x-ratelimit-limit': '50', 'x-ratelimit-remaining': '49' };
const faults = {
  fake429: plain(fixture.rateLimit, 403),
  fake403: json(fixture.forbidden, {}, 403),
  fake410: json(fixture.spam, {}, 410),
  fakeempty: json(fixture.empty, limits),
};

const form = {
  collection: { provider: 'unsplash', isArchive: false },
  words: 'query',
  perPage: { default: 10, max: 30 },
  orientations: { landscape: 'landscape', portrait: 'portrait', squarish: 'square' },
  faults,
} satisfies SearchForm;

/** Unsplash: needs `Authorization: Client-ID KEY`, and crops. */
export const unsplashFakeProvider: FakeProvider = {
  keyIn: { header: 'authorization' },

  wordsOf: ({ parameters }) => parameters.get('query') ?? undefined,

  async answer(request) {
    const { path, headers } = request;
    const subject = subjectOf(/^\/photo-([\w-]+)$/.exec(path)?.[1]);
    if (subject) return image(await drawPhoto(subject, cropOf(request.parameters, subject)), openToPages);
    const key = /^Client-ID (.+)$/.exec(headers['authorization'] ?? '')?.[1];
    if (key === undefined || key === badKey) return json(fixture.badKey, {}, 401);
    if (path === '/search/photos')
      return searched(form, request.parameters, (photos) =>
        json({ ...fixture.search, results: photos.map((photo) => resultOf(photo, request.base)) }, limits),
      );
    const [, id = '', rest] = /^\/photos\/([\w-]+)(\/download)?$/.exec(path) ?? [];
    if (rest !== undefined) return json(fixture.download, limits);
    const photo = photoByNumber(form.collection.provider, Number.parseInt(id, 36));
    return photo ? json(resultOf(photo, request.base), limits) : notFound;
  },
};

function resultOf(photo: Photo, base: string) {
  const id = photo.number.toString(36);
  const raw = `${base}/photo-${tokenOf(photo)}?ixid=M3w${id}&ixlib=rb-4.0.3`;
  return {
    ...fixture.search.results[0],
    id,
    width: photo.widthPx,
    height: photo.heightPx,
    description: null,
    alt_description: photo.title.toLowerCase(),
    tags: photo.tags.map((title) => ({ type: 'search', title })),
    urls: { raw, full: `${raw}&q=85&fm=jpg`, small: `${raw}&w=400`, thumb: `${raw}&w=200` },
    links: {
      html: `https://unsplash.com/photos/${id}`,
      download_location: `${base}/photos/${id}/download?ixid=M3w${id}`,
    },
    user: {
      name: photo.photographer,
      username: photo.handle,
      links: { html: `https://unsplash.com/@${photo.handle}` },
    },
  };
}
