/** A fake Pixabay: search, and the fixed renditions of 640 and 1,280 pixels that it hands out. Its key stands in the URL. */

import { badKey, type FakeProvider, image, json, notFound, plain } from './fake-provider';
import {
  type Collection,
  drawPhoto,
  type Photo,
  photoByNumber,
  type SearchForm,
  searched,
  subjectOf,
  tokenOf,
} from './photos';

const collection: Collection = { provider: 'pixabay', isArchive: false };
const refusal = (words: string) => plain(`[ERROR 400] ${words}`, 400);
const form: SearchForm = {
  collection,
  words: 'q',
  perPage: { default: 20, max: 40 },
  orientations: { horizontal: 'landscape', vertical: 'portrait' },
  faults: {
    fake429: plain('[ERROR 429] API rate limit exceeded', 429, { 'x-ratelimit-reset': '42' }),
    fake403: plain('Forbidden', 403),
    fakeempty: json({ total: 0, hits: [] }),
  },
};

/** Pixabay, as far as its adapter asks it. */
export const pixabayFakeProvider: FakeProvider = {
  keyIn: { parameter: 'key' },
  wordsOf: ({ parameters }) => parameters.get('q') ?? undefined,

  async answer({ path, parameters, base }) {
    const [, token, longest] = /^\/get\/([\w-]+)_(640|1280)\.jpg$/.exec(path) ?? [];
    const subject = subjectOf(token);
    if (subject) return image(await drawPhoto(subject, boxed(subject, Number(longest))));
    if (path !== '/api/') return notFound;
    const key = parameters.get('key');
    if (!key || key === badKey) return refusal('Invalid or missing API key (https://pixabay.com/api/docs/).');
    const hits = (photos: readonly Photo[]) =>
      json({ total: 4_692, totalHits: 500, hits: photos.map((photo) => hitOf(photo, base)) });
    const id = parameters.get('id');
    const photo = id === null ? undefined : photoByNumber(collection, Number(id));
    if (id !== null) return photo ? hits([photo]) : refusal('"page" is out of valid range.');
    if ((parameters.get('q') ?? '').length > 100) return refusal('"q" is too long.');
    const perPage = Number(parameters.get('per_page') ?? 20);
    if (perPage < 3 || perPage > 200) return refusal('"page" is out of valid range.');
    return searched(form, parameters, hits);
  },
};

function hitOf(photo: Photo, base: string) {
  const { number, tags, handle, widthPx, heightPx } = photo;
  const imageUrl = `${base}/get/${tokenOf(photo)}`;
  return {
    id: number,
    pageURL: `https://pixabay.com/photos/${number}/`,
    type: 'photo',
    tags: tags.join(', '),
    webformatURL: `${imageUrl}_640.jpg`,
    largeImageURL: `${imageUrl}_1280.jpg`,
    imageWidth: widthPx,
    imageHeight: heightPx,
    user: handle,
    user_id: number,
    isAiGenerated: false,
    isGRated: true,
    isLowQuality: false,
  };
}

/** The size of a rendition whose longest side is given. */
function boxed({ widthPx, heightPx }: Pick<Photo, 'widthPx' | 'heightPx'>, longestPx: number) {
  const scale = Math.min(1, longestPx / Math.max(widthPx, heightPx));
  return { widthPx: Math.round(widthPx * scale), heightPx: Math.round(heightPx * scale) };
}
