/** A fake provider of Openverse: search, and its copies of the images at 600 pixels or in full. */

import { type FakeProvider, type FakeProviderRequest, faultFor, html, image, json } from './fake-provider';
import fixture from './fixtures/openverse.json';
import {
  drawPhoto,
  type Orientation,
  type Photo,
  photoByNumber,
  photosFor,
  type Subject,
  scaledTo,
} from './photos';

const orientations: Readonly<Record<string, Orientation>> = {
  wide: 'landscape',
  tall: 'portrait',
  square: 'square',
};
/** Begins the id of each image, which ends with the number of the photo. */
const idPrefix = '0f9e1c52-7b3a-4d18-9c64-';
const thumbnailPx = 600;
const limits = {
  'x-ratelimit-limit-anon_burst': '20/min',
  'x-ratelimit-available-anon_burst': '19',
  'x-ratelimit-limit-anon_sustained': '200/day',
  'x-ratelimit-available-anon_sustained': '199',
};
const faults = {
  fake429: json(fixture.rateLimit, {}, 429),
  fake403: html(fixture.forbidden, 403),
  fakeempty: json(fixture.empty, limits),
};

const collection = { provider: 'openverse', isArchive: true };

/** Openverse: needs no key, and finds misfits among photos. */
export const openverseFakeProvider: FakeProvider = {
  wordsOf: ({ parameters }) => wordsIn(parameters),

  async answer(request) {
    const { path, parameters, base } = request;
    if (path === '/v1/images/') return search(request);
    const [, id = '', thumb] = /^\/v1\/images\/([0-9a-f-]{36})\/(thumb\/)?$/.exec(path) ?? [];
    const number = id.startsWith(idPrefix) ? Number(id.slice(idPrefix.length)) : -1;
    const photo = photoByNumber(collection.provider, number);
    if (thumb) return thumbnail(photo, parameters.get('full_size') === 'true');
    return photo ? json(resultOf(photo, base), limits) : json({ detail: 'Not found.' }, limits, 404);
  },
};

/** The words of a search, in whichever field it has them: `q` requires all, the others any of them. */
function wordsIn(parameters: URLSearchParams): string | undefined {
  return parameters.get('q') ?? parameters.get('title') ?? parameters.get('tags') ?? undefined;
}

/** Listed before the fake provider was restarted: any image is better than none. */
const unknown: Subject = { number: 1, words: 'landscape', widthPx: 4000, heightPx: 2667, isBroken: false };

async function thumbnail(subject: Subject = unknown, isFullSize: boolean) {
  if (subject.isBroken) return json({ detail: 'Failed to render thumbnail.' }, {}, 424);
  const isReduced = !isFullSize && subject.widthPx > thumbnailPx;
  return image(await drawPhoto(subject, isReduced ? scaledTo(subject, thumbnailPx) : subject));
}

function search({ parameters, base }: FakeProviderRequest) {
  const words = wordsIn(parameters) ?? '';
  if (Number(parameters.get('page_size') ?? 20) > 20) return json(fixture.pageSize, {}, 401);
  if (words.length > 200) return json(fixture.badRequest, {}, 400);
  const fault = faultFor(words, faults);
  if (fault) return fault;
  const orientation = orientations[parameters.get('aspect_ratio') ?? ''] ?? 'any';
  const requires = parameters.has('q') ? 'all' : 'any';
  const category = parameters.get('category');
  const results = photosFor(collection, words, orientation, 20, requires)
    .map((photo) => resultOf(photo, base))
    .filter((result) => category === null || category === result.category);
  return json({ ...fixture.search, result_count: results.length, results }, limits);
}

function resultOf(photo: Photo, base: string) {
  const { title, photographer, number } = photo;
  const id = idPrefix + String(number).padStart(12, '0');
  return {
    ...fixture.search.results[0],
    id,
    title,
    url: `http://images.example/${number}.jpg`,
    foreign_landing_url: `https://images.example/${number}`,
    thumbnail: `${base}/v1/images/${id}/thumb/`,
    tags: photo.tags.map((tag) => ({ name: tag, accuracy: null })),
    creator: photographer,
    creator_url: `https://images.example/@${photo.handle}`,
    // Most records have none, and a filter drops them.
    category: number % 5 === 0 ? 'photograph' : null,
    width: photo.widthPx,
    height: photo.heightPx,
    attribution: `"${title}" by ${photographer} is marked with CC0 1.0. To view the terms, visit https://creativecommons.org/publicdomain/zero/1.0/.`,
  };
}
