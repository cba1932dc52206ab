/** A fake Openverse: search, and its copies of the images at 600 pixels or in full. It needs no key, and finds misfits among photos. */

import { type FakeProvider, faultFor, image, json, plain } from './fake-provider';
import {
  type Collection,
  drawPhoto,
  type Photo,
  photoByNumber,
  photosFor,
  type Subject,
  scaledTo,
} from './photos';

const collection: Collection = { provider: 'openverse', isArchive: true };
const orientations = { wide: 'landscape', tall: 'portrait', square: 'square' } as const;
/** Begins the id of each image, which ends with the number of the photo. */
const idPrefix = '0f9e1c52-7b3a-4d18-9c64-';
const thumbnailPx = 600;
const faults = {
  fake429: json({ detail: 'Request was throttled.' }, {}, 429),
  fake403: plain('<!DOCTYPE html><title>Attention Required!</title>', 403, { 'content-type': 'text/html' }),
  fakeempty: json({ result_count: 0, results: [] }),
};

/** The words of a search, in whichever field it has them: `q` requires all, the others any of them. */
const wordsIn = (parameters: URLSearchParams) =>
  parameters.get('q') ?? parameters.get('title') ?? parameters.get('tags') ?? undefined;

/** Listed before the fake provider was restarted: any image is better than none. */
const unknown: Subject = { number: 1, words: 'landscape', widthPx: 4_000, heightPx: 2_667, isBroken: false };

/** Openverse, as far as its adapter asks it. */
export const openverseFakeProvider: FakeProvider = {
  wordsOf: ({ parameters }) => wordsIn(parameters),

  async answer({ path, parameters, base }) {
    if (path === '/v1/images/') return search(parameters, base);
    const [, id = '', thumb] = /^\/v1\/images\/([0-9a-f-]{36})\/(thumb\/)?$/.exec(path) ?? [];
    const number = id.startsWith(idPrefix) ? Number(id.slice(idPrefix.length)) : -1;
    const photo = photoByNumber(collection, number);
    if (!thumb) return photo ? json(resultOf(photo, base)) : json({ detail: 'Not found.' }, {}, 404);
    const subject = photo ?? unknown;
    if (subject.isBroken) return json({ detail: 'Failed to render thumbnail.' }, {}, 424);
    const isReduced = parameters.get('full_size') !== 'true' && subject.widthPx > thumbnailPx;
    return image(await drawPhoto(subject, isReduced ? scaledTo(subject, thumbnailPx) : subject));
  },
};

function search(parameters: URLSearchParams, base: string) {
  const words = wordsIn(parameters) ?? '';
  if (Number(parameters.get('page_size') ?? 20) > 20)
    return json({ detail: 'page_size may not exceed 20 for anonymous requests' }, {}, 401);
  if (words.length > 200)
    return json({ error: 'InputError', detail: 'Invalid input given for fields.' }, {}, 400);
  const fault = faultFor(words, faults);
  if (fault) return fault;
  const orientation = orientations[parameters.get('aspect_ratio') as 'wide'] ?? 'any';
  const category = parameters.get('category');
  const results = photosFor(collection, words, orientation, 20, parameters.has('q') ? 'all' : 'any')
    .map((photo) => resultOf(photo, base))
    .filter((result) => category === null || category === result.category);
  return json({ result_count: results.length, page_size: 20, page: 1, results });
}

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
