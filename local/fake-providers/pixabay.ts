/** A fake Pixabay: search, and renditions of 640 and 1,280 pixels. Its key stands in the URL. */

import { badKey, type FakeProvider, jsonReply, textReply } from './fake-provider';
import { Photos, scaleSize } from './photos';

const refusal = (words: string) => textReply(`[ERROR 400] ${words}`, 400);

/** Pixabay, as far as its adapter asks it. */
export const pixabayFakeProvider: FakeProvider = {
  photos: new Photos('pixabay'),
  keyIn: 'key',
  refusal({ path, parameters }) {
    const isKnown = path !== '/api/' || ![null, '', badKey].includes(parameters.get('key'));
    return isKnown ? undefined : refusal('Invalid or missing API key (https://pixabay.com/api/docs/).');
  },
  faults: {
    fake429: textReply('[ERROR 429] API rate limit exceeded', 429, { 'x-ratelimit-reset': '42' }),
    fake403: textReply('Forbidden', 403),
    fakeempty: jsonReply({ total: 0, hits: [] }),
  },
  searchPath: '/api/',
  wordsOf: (parameters) => parameters.get('q'),
  page: { parameter: 'per_page', default: 20, max: 200 },
  shapes: ['orientation', { horizontal: 'landscape', vertical: 'portrait' }],
  photoAt: 'id',
  missing: () => refusal('"page" is out of valid range.'),
  listOf: (hits) => ({ total: 4_692, totalHits: 500, hits }),
  imageAt: /^\/get\/([\w-]+)_(640|1280)\.jpg$/,
  sizeOf: (photo, _, longestPx) =>
    scaleSize(photo, Math.min(1, Number(longestPx) / Math.max(photo.widthPx, photo.heightPx))),
  recordOf: ({ number, token, tags, handle, widthPx, heightPx }, { base }) => ({
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
  }),
};
