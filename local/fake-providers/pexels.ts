/** A fake Pexels: search, and an image server that crops. Its key stands alone in `Authorization`. */

import { badKey, type FakeProvider, image, json, pageOf, plain } from './fake-provider';
import { cropOf, drawPhoto, type Photo, Photos } from './photos';

const orientations = { landscape: 'landscape', portrait: 'portrait', square: 'square' } as const;

/** Pexels, as far as its adapter asks it. */
export const pexelsFakeProvider: FakeProvider = {
  photos: new Photos('pexels', false),
  keyIn: { header: 'authorization' },
  wordsOf: (parameters) => parameters.get('query') ?? undefined,
  faults: {
    fake429: plain('Too Many Requests', 429),
    fake403: plain('Forbidden', 403),
    fakeempty: json({ total_results: 0, photos: [] }),
  },
  image({ path, parameters }) {
    const photo = this.photos.byToken(/^\/photos\/\d+\/pexels-photo-([\w-]+)\.jpeg$/.exec(path)?.[1]);
    return photo && image(drawPhoto(photo, cropOf(parameters, photo)));
  },
  refusal({ headers: { authorization: key, 'user-agent': userAgent } }) {
    if (!userAgent) return plain('Forbidden', 403);
    return !key || key === badKey || key.includes(' ') ? plain('Missing API key', 401) : undefined;
  },
  answer({ path, parameters, base }) {
    if (path === '/v1/search') {
      const photos = pageOf(this, parameters, { default: 15, max: 80 }, orientations);
      return json({ page: 1, total_results: 8_000, photos: photos.map((photo) => photoOf(photo, base)) });
    }
    const photo = this.photos.byNumber(Number(/^\/v1\/photos\/(\d+)$/.exec(path)?.[1]));
    return photo && json(photoOf(photo, base));
  },
};

function photoOf({ number, token, title, photographer, handle, widthPx, heightPx }: Photo, base: string) {
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
}
