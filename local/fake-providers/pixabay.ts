/** A fake provider of Pixabay: search, and the fixed renditions it hands out. */

import {
  badKey,
  type FakeProvider,
  type FakeProviderRequest,
  image,
  json,
  notFound,
  plain,
} from './fake-provider';
import fixture from './fixtures/pixabay.json';
import {
  drawPhoto,
  type Photo,
  photoByNumber,
  type SearchForm,
  searched,
  subjectOf,
  tokenOf,
} from './photos';

const limits = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '99', 'x-ratelimit-reset': '60' };
const faults = {
  fake429: plain(fixture.rateLimit, 429, { 'x-ratelimit-reset': '42' }),
  fake403: plain('Forbidden', 403),
  fakeempty: json(fixture.empty, limits),
};

const form = {
  collection: { provider: 'pixabay', isArchive: false },
  words: 'q',
  perPage: { default: 20, max: 40 },
  orientations: { horizontal: 'landscape', vertical: 'portrait' },
  faults,
} satisfies SearchForm;

/** Pixabay: needs its key in the URL, and has renditions of 640 and 1,280 pixels. */
export const pixabayFakeProvider: FakeProvider = {
  keyIn: { parameter: 'key' },

  wordsOf: ({ parameters }) => parameters.get('q') ?? undefined,

  async answer(request) {
    const { path, parameters } = request;
    const [, token = '', longest] = /^\/get\/([\w-]+)_(640|1280)\.jpg$/.exec(path) ?? [];
    const subject = subjectOf(token);
    if (subject) return image(await drawPhoto(subject, boxed(subject, Number(longest))));
    if (path !== '/api/') return notFound;
    const key = parameters.get('key');
    if (!key || key === badKey) return plain(fixture.badKey, 400);
    return search(request);
  },
};

function search({ parameters, base }: FakeProviderRequest) {
  const id = parameters.get('id');
  if (id !== null) {
    const photo = photoByNumber(form.collection.provider, Number(id));
    return photo
      ? json({ ...fixture.search, hits: [hitOf(photo, base)] }, limits)
      : plain(fixture.badPage, 400);
  }
  const words = parameters.get('q') ?? '';
  if (words.length > 100) return plain(fixture.longQuery, 400);
  const perPage = Number(parameters.get('per_page') ?? 20);
  if (perPage < 3 || perPage > 200) return plain(fixture.badPage, 400);
  return searched(form, parameters, (photos) =>
    json({ ...fixture.search, hits: photos.map((photo) => hitOf(photo, base)) }, limits),
  );
}

function hitOf(photo: Photo, base: string) {
  const imageUrl = `${base}/get/${tokenOf(photo)}`;
  return {
    ...fixture.search.hits[0],
    id: photo.number,
    pageURL: `https://pixabay.com/photos/${photo.number}/`,
    tags: photo.tags.join(', '),
    webformatURL: `${imageUrl}_640.jpg`,
    largeImageURL: `${imageUrl}_1280.jpg`,
    imageWidth: photo.widthPx,
    imageHeight: photo.heightPx,
    user: photo.handle,
  };
}

/** The size of a rendition whose longest side is given. */
function boxed({ widthPx, heightPx }: Pick<Photo, 'widthPx' | 'heightPx'>, longestPx: number) {
  const scale = Math.min(1, longestPx / Math.max(widthPx, heightPx));
  return { widthPx: Math.round(widthPx * scale), heightPx: Math.round(heightPx * scale) };
}
