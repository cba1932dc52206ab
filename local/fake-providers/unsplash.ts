/** A fake Unsplash: search, the download ping, and an image server that crops like imgix. It needs `Authorization: Client-ID KEY`. */

import { badKey, type FakeProvider, image, json, pageOf, plain } from './fake-provider';
import { cropOf, drawPhoto, type Photo, Photos } from './photos';

const refusal = (words: string, status: number) => json({ errors: [words] }, status);
const orientations = { landscape: 'landscape', portrait: 'portrait', squarish: 'square' } as const;

/** Unsplash, as far as its adapter asks it. */
export const unsplashFakeProvider: FakeProvider = {
  photos: new Photos('unsplash', false),
  keyIn: { header: 'authorization' },
  wordsOf: (parameters) => parameters.get('query') ?? undefined,
  faults: {
    fake429: plain('Rate Limit Exceeded', 403),
    fake403: refusal('You are not authorized to perform this action.', 403),
    fake410: refusal('This query is not allowed.', 410),
    fakeempty: json({ total: 0, results: [] }),
  },
  image({ path, parameters }) {
    const photo = this.photos.byToken(/^\/photo-([\w-]+)$/.exec(path)?.[1]);
    return photo && image(drawPhoto(photo, cropOf(parameters, photo)));
  },
  refusal({ headers }) {
    const key = /^Client-ID (.+)$/.exec(headers['authorization'] ?? '')?.[1];
    return key === undefined || key === badKey
      ? refusal('OAuth error: The access token is invalid', 401)
      : undefined;
  },
  answer({ path, parameters, base }) {
    if (path === '/search/photos') {
      const photos = pageOf(this, parameters, { default: 10, max: 30 }, orientations);
      return json({ total: 10_847, results: photos.map((photo) => resultOf(photo, base)) });
    }
    const [, id = '', download] = /^\/photos\/([\w-]+)(\/download)?$/.exec(path) ?? [];
    if (download) return json({ url: `${base}/photo-${id}` });
    const photo = this.photos.byNumber(Number.parseInt(id, 36));
    return photo && json(resultOf(photo, base));
  },
};

function resultOf({ number, token, title, tags, photographer, handle, ...size }: Photo, base: string) {
  const id = number.toString(36);
  const raw = `${base}/photo-${token}?ixid=M3w${id}&ixlib=rb-4.0.3`;
  return {
    id,
    width: size.widthPx,
    height: size.heightPx,
    color: '#6E633A',
    description: null,
    alt_description: title.toLowerCase(),
    tags: tags.map((tag) => ({ type: 'search', title: tag })),
    urls: { raw, full: `${raw}&q=85&fm=jpg`, small: `${raw}&w=400`, thumb: `${raw}&w=200` },
    links: {
      html: `https://unsplash.com/photos/${id}`,
      download_location: `${base}/photos/${id}/download?ixid=M3w${id}`,
    },
    user: { name: photographer, username: handle, links: { html: `https://unsplash.com/@${handle}` } },
  };
}
