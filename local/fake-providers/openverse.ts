/** A fake provider of Openverse: search, and its copies of the images at 600 pixels or in full. */

import { sha256Hex } from '../../lambda/requests/image-request';
import { drawPhoto, scaledTo } from './draw-photo';
import { type FakeProvider, type FakeProviderRequest, html, image, json } from './fake-provider';
import fixture from './fixtures/openverse.json';
import {
  type FakeProviderOrientation,
  type FakeProviderPhoto,
  photosFor,
  type Subject,
} from './photo-catalogue';

const orientations: Readonly<Record<string, FakeProviderOrientation>> = {
  wide: 'landscape',
  tall: 'portrait',
  square: 'square',
};
const thumbnailPx = 600;
const limits = {
  'x-ratelimit-limit-anon_burst': '20/min',
  'x-ratelimit-available-anon_burst': '19',
  'x-ratelimit-limit-anon_sustained': '200/day',
  'x-ratelimit-available-anon_sustained': '199',
};

/** Its ids say nothing about the image, so the fake provider remembers those it named. */
const named = new Map<string, FakeProviderPhoto>();
const namedMax = 5_000;

const collection = { provider: 'openverse', isArchive: true };

export const openverseFakeProvider: FakeProvider = {
  wordsOf: ({ parameters }) => wordsIn(parameters),

  async answer(request) {
    const { path, parameters } = request;
    const id = /^\/v1\/images\/([0-9a-f-]{36})\/thumb\/$/.exec(path)?.[1];
    if (id !== undefined) return thumbnail(id, parameters.get('full_size') === 'true');
    if (path === '/v1/images/') return search(request);
    const photo = named.get(/^\/v1\/images\/([0-9a-f-]{36})\/$/.exec(path)?.[1] ?? '');
    return photo ? json(resultOf(photo, request.base), limits) : json({ detail: 'Not found.' }, limits, 404);
  },
};

/** The words of a search, in whichever field it has them. */
function wordsIn(parameters: URLSearchParams): string | undefined {
  return parameters.get('q') ?? parameters.get('title') ?? parameters.get('tags') ?? undefined;
}

async function thumbnail(id: string, isFullSize: boolean) {
  // Named before the fake provider was restarted: any image is better than none.
  const unknown: Subject = { number: 1, words: 'landscape', widthPx: 4000, heightPx: 2667, flaw: 'none' };
  const subject = named.get(id) ?? unknown;
  if (subject.flaw === 'broken') return json({ detail: 'Failed to render thumbnail.' }, {}, 424);
  const isReduced = !isFullSize && subject.widthPx > thumbnailPx;
  return image(await drawPhoto(subject, isReduced ? scaledTo(subject, thumbnailPx) : subject));
}

function search({ parameters, base }: FakeProviderRequest) {
  const words = wordsIn(parameters) ?? '';
  if (Number(parameters.get('page_size') ?? 20) > 20) return json(fixture.pageSize, {}, 401);
  if (words.length > 200) return json(fixture.badRequest, {}, 400);
  if (words.includes('fake429')) return json(fixture.rateLimit, {}, 429);
  if (words.includes('fake403')) return html(fixture.forbidden, 403);
  if (words.includes('fakeempty')) return json(fixture.empty, limits);
  const orientation = orientations[parameters.get('aspect_ratio') ?? ''] ?? 'any';
  const results = photosFor(collection, words, orientation, 20).map((photo) => resultOf(photo, base));
  return json({ ...fixture.search, result_count: results.length, results }, limits);
}

function resultOf(photo: FakeProviderPhoto, base: string) {
  const { title, photographer, number } = photo;
  const id = uuidOf(number);
  if (named.size >= namedMax) named.delete(named.keys().next().value as string);
  named.set(id, photo);
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
    width: photo.widthPx,
    height: photo.heightPx,
    attribution: `"${title}" by ${photographer} is marked with CC0 1.0. To view the terms, visit https://creativecommons.org/publicdomain/zero/1.0/.`,
  };
}

function uuidOf(number: number): string {
  const hex = sha256Hex(`openverse ${number}`);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}
