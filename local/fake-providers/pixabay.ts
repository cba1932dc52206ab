/** A fake Pixabay: search, and the fixed renditions of 640 and 1,280 pixels that it hands out. Its key stands in the URL. */

import { badKey, type FakeProvider, image, json, pageOf, plain } from './fake-provider';
import { drawPhoto, type Photo, Photos } from './photos';

const refusal = (words: string) => plain(`[ERROR 400] ${words}`, 400);
const orientations = { horizontal: 'landscape', vertical: 'portrait' } as const;

/** Pixabay, as far as its adapter asks it. */
export const pixabayFakeProvider: FakeProvider = {
  photos: new Photos('pixabay', false),
  keyIn: { parameter: 'key' },
  wordsOf: (parameters) => parameters.get('q') ?? undefined,
  faults: {
    fake429: plain('[ERROR 429] API rate limit exceeded', 429, { 'x-ratelimit-reset': '42' }),
    fake403: plain('Forbidden', 403),
    fakeempty: json({ total: 0, hits: [] }),
  },
  image({ path }) {
    const [, token, longest] = /^\/get\/([\w-]+)_(640|1280)\.jpg$/.exec(path) ?? [];
    const photo = this.photos.byToken(token);
    return photo && image(drawPhoto(photo, boxed(photo, Number(longest))));
  },
  refusal({ path, parameters }) {
    const key = parameters.get('key');
    const isKnown = path !== '/api/' || (key && key !== badKey);
    return isKnown ? undefined : refusal('Invalid or missing API key (https://pixabay.com/api/docs/).');
  },
  answer({ path, parameters, base }) {
    if (path !== '/api/') return undefined;
    const hits = (photos: readonly Photo[]) =>
      json({ total: 4_692, totalHits: 500, hits: photos.map((photo) => hitOf(photo, base)) });
    const id = parameters.get('id');
    if (id === null) return hits(pageOf(this, parameters, { default: 20, max: 40 }, orientations));
    const photo = this.photos.byNumber(Number(id));
    return photo ? hits([photo]) : refusal('"page" is out of valid range.');
  },
};

function hitOf({ number, token, tags, handle, widthPx, heightPx }: Photo, base: string) {
  return {
    id: number,
    pageURL: `https://pixabay.com/photos/${number}/`,
    type: 'photo',
    tags: tags.join(', '),
    webformatURL: `${base}/get/${token}_640.jpg`,
    largeImageURL: `${base}/get/${token}_1280.jpg`,
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
function boxed({ widthPx, heightPx }: Photo, longestPx: number) {
  const scale = Math.min(1, longestPx / Math.max(widthPx, heightPx));
  return { widthPx: Math.round(widthPx * scale), heightPx: Math.round(heightPx * scale) };
}
