/** A fake Openverse: search, and images of 600 pixels or in full. It needs no key. */

import { type FakeProvider, jsonReply, textReply } from './fake-provider';
import { Photos, scaleSize } from './photos';

/** The id of an image without its end, the number of the photo. */
const idPrefix = '0f9e1c52-7b3a-4d18-9c64-';
const thumbnailPx = 600;

const photos = new Photos('openverse');

/** Openverse, as far as its adapter asks it. */
export const openverseFakeProvider: FakeProvider = {
  photos,
  faults: {
    fake429: jsonReply({ detail: 'Request was throttled.' }, 429),
    fake403: textReply('<!DOCTYPE html><title>Attention!</title>', 403, { 'content-type': 'text/html' }),
    fakeempty: jsonReply({ result_count: 0, results: [] }),
  },
  searchPath: '/v1/images/',
  // `q` requires all words, the other fields any of them.
  wordsOf: (parameters) => parameters.get('q') ?? parameters.get('title') ?? parameters.get('tags'),
  requiresAll: (parameters) => parameters.has('q'),
  page: { parameter: 'page_size', default: 20, max: 20 },
  shapes: ['aspect_ratio', { wide: 'landscape', tall: 'portrait', square: 'square' }],
  photoAt: new RegExp(`^/v1/images/${idPrefix}(\\d{12})/$`),
  listOf: (results) => ({ result_count: results.length, page_size: 20, page: 1, results }),
  imageAt: new RegExp(`^/v1/images/${idPrefix}(\\d{12})/thumb/$`),
  // Any photo stands for one that was listed before a restart.
  imaged: (number) => photos.byNumber(Number(number)) ?? photos.photo('landscape', 'landscape', 0),
  sizeOf: (photo, parameters) =>
    parameters.get('full_size') === 'true'
      ? photo
      : scaleSize(photo, Math.min(1, thumbnailPx / photo.widthPx)),
  recordOf({ number, title, tags, photographer, handle, widthPx, heightPx }) {
    const id = idPrefix + String(number).padStart(12, '0');
    return {
      id,
      title,
      url: `http://images.example/${number}.jpg`,
      foreign_landing_url: `https://images.example/${number}`,
      tags: tags.map((name) => ({ name, accuracy: null })),
      creator: photographer,
      creator_url: `https://images.example/@${handle}`,
      license: 'cc0',
      license_version: '1.0',
      license_url: 'https://creativecommons.org/publicdomain/zero/1.0/',
      category: null,
      filetype: 'jpg',
      width: widthPx,
      height: heightPx,
      mature: false,
      unstable__sensitivity: [],
    };
  },
};
