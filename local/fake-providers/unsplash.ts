/** A fake Unsplash: search, the download ping, and an image server that crops like imgix. It needs `Authorization: Client-ID KEY`. */

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

const collection: Collection = { provider: 'unsplash', isArchive: false };
const refusal = (words: string, status: number) => json({ errors: [words] }, {}, status);
const form: SearchForm = {
  collection,
  words: 'query',
  perPage: { default: 10, max: 30 },
  orientations: { landscape: 'landscape', portrait: 'portrait', squarish: 'square' },
  faults: {
    fake429: plain('Rate Limit Exceeded', 403),
    fake403: refusal('You are not authorized to perform this action.', 403),
    fake410: refusal('This query is not allowed.', 410),
    fakeempty: json({ total: 0, results: [] }),
  },
};

/** Unsplash, as far as its adapter asks it. */
export const unsplashFakeProvider: FakeProvider = {
  keyIn: { header: 'authorization' },
  wordsOf: ({ parameters }) => parameters.get('query') ?? undefined,

  async answer({ path, parameters, headers, base }) {
    const subject = subjectOf(/^\/photo-([\w-]+)$/.exec(path)?.[1]);
    if (subject) return image(await drawPhoto(subject, cropOf(parameters, subject)), openToPages);
    const key = /^Client-ID (.+)$/.exec(headers['authorization'] ?? '')?.[1];
    if (key === undefined || key === badKey) return refusal('OAuth error: The access token is invalid', 401);
    if (path === '/search/photos')
      return searched(form, parameters, (photos) =>
        json({ total: 10_847, results: photos.map((photo) => resultOf(photo, base)) }),
      );
    const [, id = '', download] = /^\/photos\/([\w-]+)(\/download)?$/.exec(path) ?? [];
    if (download) return json({ url: `${base}/photo-${id}` });
    const photo = photoByNumber(collection, Number.parseInt(id, 36));
    return photo ? json(resultOf(photo, base)) : notFound;
  },
};

function resultOf(photo: Photo, base: string) {
  const { number, title, tags, photographer, handle, widthPx, heightPx } = photo;
  const id = number.toString(36);
  const raw = `${base}/photo-${tokenOf(photo)}?ixid=M3w${id}&ixlib=rb-4.0.3`;
  return {
    id,
    width: widthPx,
    height: heightPx,
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
