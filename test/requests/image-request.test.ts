/** Requests for the same image have the same fingerprint in every version. */

import { hashSha256 } from '../../lambda/base/hash';
import {
  computeFingerprint,
  type ImageRequest,
  makeAiRequest,
  normaliseWords,
  type StockRequest,
  stockDefaults,
} from '../../lambda/requests/image-request';
import { aiRequest } from '../fakes/values';

const lake: StockRequest = { ...stockDefaults, query: 'Mountain lake', widthPx: 800, heightPx: 600 };
const aiLake = { ...aiRequest, query: 'Mountain lake', widthPx: 800, heightPx: 600 };
const pickedLake: StockRequest = { ...lake, pick: 'pk_1' };

// Stored images and pages are found by these texts: a change of them loses what accounts have paid for.
const ofLake = ['mountain lake', 800, 600];
const filters: StockRequest['filters'] = {
  ...{ onmiss: 'ai', crop: 'faces', lang: 'de', license: 'public-domain', color: 'a0ff07' },
  avoid: ['people', 'text'],
};
const texts = [
  'avoid=people,text',
  'color=a0ff07',
  'crop=faces',
  'lang=de',
  'license=public-domain',
  'onmiss=ai',
];
test.each<[string, ImageRequest, readonly unknown[]]>([
  ['stock image', lake, [...ofLake, 'stock_a', '']],
  ['stock image with filters', { ...lake, seed: '2', filters }, [...ofLake, 'stock_a', '2', ...texts]],
  ['AI image', aiLake, [...ofLake, 'ai', 'photo', 'private', null, null]],
  ['variation', { ...aiLake, variation: 2 }, [...ofLake, 'ai', 'photo', 'private', 2, null]],
  ['alternative', { ...aiLake, alt: 3 }, [...ofLake, 'ai', 'photo', 'private', null, 3]],
  ['pick', pickedLake, ['pick', 'pk_1', 800, 600]],
  ['pick of an AI image', { ...aiLake, pick: 'pk_1' }, ['pick', 'pk_1', 800, 600]],
  ['pick with a crop', { ...pickedLake, filters: { crop: 'faces' } }, ['pick', 'pk_1', 800, 600, 'faces']],
])('the fingerprint of a %s is made of the fields that decide the image', (_, request, parts) => {
  expect(computeFingerprint(request)).toBe(hashSha256(JSON.stringify(parts)));
});

test('a request by pick is identified only by its pick and crop', () => {
  const { crop: _, ...others } = filters;
  const otherRequest: StockRequest = { ...pickedLake, query: 'sea', seed: '3', filters: others };
  expect(computeFingerprint(otherRequest)).toBe(computeFingerprint(pickedLake));
});

test.each([
  ['Mountain-Lake', 'mountain lake'],
  ['  mountain__lake ', 'mountain lake'],
  ['mountain - lake', 'mountain lake'],
  ['mountainlake', 'mountainlake'],
])('the query %j means the words %j', (query, words) => {
  expect(normaliseWords(query)).toBe(words);
});

test('the image in place of a missing stock image is a private photo of the same words and size', () => {
  const labelled: StockRequest = { ...lake, label: 'corner' };
  const { seed, filters, ...basics } = labelled;
  const request: StockRequest = { ...labelled, seed: '4', filters: { onmiss: 'ai' } };
  expect(makeAiRequest(request)).toEqual({ ...basics, source: 'ai', style: 'photo', visibility: 'private' });
});
