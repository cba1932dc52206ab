/** A fake Pexels: search, and an image server that crops. Its key stands alone in `Authorization`. */

import { badKey, type FakeProvider, jsonReply, textReply } from './fake-provider';
import { cropOf, Photos } from './photos';

/** Pexels, as far as its adapter asks it. */
export const pexelsFakeProvider: FakeProvider = {
  photos: new Photos('pexels'),
  keyIn: 'authorization',
  refusal({ headers: { authorization: key, 'user-agent': userAgent } }) {
    if (!userAgent) return textReply('Forbidden', 403);
    return !key || key === badKey || key.includes(' ') ? textReply('Missing API key', 401) : undefined;
  },
  faults: {
    fake429: textReply('Too Many Requests', 429),
    fake403: textReply('Forbidden', 403),
    fakeempty: jsonReply({ total_results: 0, photos: [] }),
  },
  searchPath: '/v1/search',
  wordsOf: (parameters) => parameters.get('query'),
  page: { parameter: 'per_page', default: 15, max: 80 },
  shapes: ['orientation', { landscape: 'landscape', portrait: 'portrait', square: 'square' }],
  photoAt: /^\/v1\/photos\/(\d+)$/,
  listOf: (photos) => ({ page: 1, total_results: 8_000, photos }),
  imageAt: /^\/photos\/\d+\/pexels-photo-([\w-]+)\.jpeg$/,
  sizeOf: cropOf,
  recordOf({ number, token, title, photographer, handle, widthPx, heightPx }, { base }) {
    const original = `${base}/photos/${number}/pexels-photo-${token}.jpeg`;
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
  },
};
