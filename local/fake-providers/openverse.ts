/** A fake Openverse: search, and its copies of the images at 600 pixels or in full. It needs no key, and finds misfits among photos. */

import { type FakeProvider, image, json, plain } from './fake-provider';
import { drawPhoto, type Photo, Photos, scaledTo } from './photos';

const orientations = { wide: 'landscape', tall: 'portrait', square: 'square' } as const;
/** Begins the id of each image, which ends with the number of the photo. */
const idPrefix = '0f9e1c52-7b3a-4d18-9c64-';
const thumbnailPx = 600;

/** Openverse, as far as its adapter asks it. */
export const openverseFakeProvider: FakeProvider = {
  photos: new Photos('openverse', true),
  // `q` requires all words, the other fields any of them.
  wordsOf: (parameters) =>
    parameters.get('q') ?? parameters.get('title') ?? parameters.get('tags') ?? undefined,
  faults: {
    fake429: json({ detail: 'Request was throttled.' }, 429),
    fake403: plain('<!DOCTYPE html><title>Attention!</title>', 403, { 'content-type': 'text/html' }),
    fakeempty: json({ result_count: 0, results: [] }),
  },
  image({ path, parameters }) {
    const id = /^\/v1\/images\/([0-9a-f-]{36})\/thumb\/$/.exec(path)?.[1];
    if (id === undefined) return undefined;
    // Listed before the fake provider was restarted: any image is better than none.
    const photo = this.photos.byNumber(numberOf(id)) ?? this.photos.photo('landscape', 'landscape', 0);
    const isReduced = parameters.get('full_size') !== 'true' && photo.widthPx > thumbnailPx;
    return image(drawPhoto(photo, isReduced ? scaledTo(photo, thumbnailPx) : photo));
  },
  answer({ path, parameters, base }) {
    if (path !== '/v1/images/') {
      const photo = this.photos.byNumber(numberOf(/^\/v1\/images\/([0-9a-f-]{36})\/$/.exec(path)?.[1] ?? ''));
      return photo && json(resultOf(photo, base));
    }
    const orientation = orientations[parameters.get('aspect_ratio') as 'wide'] ?? 'any';
    const category = parameters.get('category');
    const results = this.photos
      .search(this.wordsOf(parameters) ?? '', orientation, 20, parameters.has('q'))
      .map((photo) => resultOf(photo, base))
      .filter((result) => category === null || category === result.category);
    return json({ result_count: results.length, page_size: 20, page: 1, results });
  },
};

const numberOf = (id: string) => (id.startsWith(idPrefix) ? Number(id.slice(idPrefix.length)) : -1);

function resultOf({ number, title, tags, photographer, handle, widthPx, heightPx }: Photo, base: string) {
  const id = idPrefix + String(number).padStart(12, '0');
  return {
    id,
    title,
    url: `http://images.example/${number}.jpg`,
    foreign_landing_url: `https://images.example/${number}`,
    thumbnail: `${base}/v1/images/${id}/thumb/`,
    tags: tags.map((name) => ({ name, accuracy: null })),
    creator: photographer,
    creator_url: `https://images.example/@${handle}`,
    license: 'cc0',
    license_version: '1.0',
    license_url: 'https://creativecommons.org/publicdomain/zero/1.0/',
    // Most records have none, and a filter drops them.
    category: number % 5 === 0 ? 'photograph' : null,
    filetype: 'jpg',
    width: widthPx,
    height: heightPx,
    mature: false,
    unstable__sensitivity: [],
    attribution: `"${title}" by ${photographer} is marked with CC0 1.0. To view the terms, visit https://creativecommons.org/publicdomain/zero/1.0/.`,
  };
}
