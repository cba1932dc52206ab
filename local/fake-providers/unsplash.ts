/** A fake Unsplash: search, reports of use, and an image server that crops. It needs a key. */

import { badKey, type FakeProvider, jsonReply, textReply } from './fake-provider';
import { cropOf, Photos } from './photos';

const refusal = (words: string, status: number) => jsonReply({ errors: [words] }, status);

/** Unsplash, as far as its adapter asks it. */
export const unsplashFakeProvider: FakeProvider = {
  photos: new Photos('unsplash'),
  keyIn: 'authorization',
  refusal({ headers: { authorization = '' } }) {
    const key = /^Client-ID (.+)$/.exec(authorization)?.[1];
    if (key !== undefined && key !== badKey) return undefined;
    return refusal('OAuth error: The access token is invalid', 401);
  },
  faults: {
    fake429: textReply('Rate Limit Exceeded', 403),
    fake403: refusal('You are not authorized to perform this action.', 403),
    fake410: refusal('This query is not allowed.', 410),
    fakeempty: jsonReply({ total: 0, results: [] }),
  },
  searchPath: '/search/photos',
  wordsOf: (parameters) => parameters.get('query'),
  page: { parameter: 'per_page', default: 10, max: 30 },
  shapes: ['orientation', { landscape: 'landscape', portrait: 'portrait', squarish: 'square' }],
  photoAt: /^\/photos\/(\d+)$/,
  // Any number: the use of a photo may be reported that was listed before a restart.
  answer({ path, base }) {
    const [, number] = /^\/photos\/(\d+)\/download$/.exec(path) ?? [];
    return number === undefined ? undefined : jsonReply({ url: `${base}/photo-${number}` });
  },
  listOf: (results) => ({ total: 10_847, results }),
  imageAt: /^\/photo-([\w-]+)$/,
  sizeOf: cropOf,
  recordOf({ number, token, title, tags, photographer, handle, widthPx, heightPx }, { base }) {
    const raw = `${base}/photo-${token}?ixid=M3w${number}&ixlib=rb-4.0.3`;
    return {
      id: String(number),
      width: widthPx,
      height: heightPx,
      color: '#6E633A',
      description: null,
      alt_description: title.toLowerCase(),
      tags: tags.map((tag) => ({ type: 'search', title: tag })),
      urls: { raw, full: `${raw}&q=85&fm=jpg`, small: `${raw}&w=400`, thumb: `${raw}&w=200` },
      links: {
        html: `https://unsplash.com/photos/${number}`,
        download_location: `${base}/photos/${number}/download?ixid=M3w${number}`,
      },
      user: { name: photographer, username: handle, links: { html: `https://unsplash.com/@${handle}` } },
    };
  },
};
