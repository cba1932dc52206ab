/** The match of an image's texts with a subject: its score and its coverage. */

import { type ImageTexts, matchTexts, weighRelevance } from '../../lambda/stock/match';
import { parseSubject } from '../../lambda/stock/subject';

const match = (query: string, texts: ImageTexts) => matchTexts(texts, parseSubject(query));
const shorter = 'one two three four five six seven';
const tags = ['lake', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

test.each<[string, ImageTexts, number, number]>([
  ['lake', { title: 'Lake' }, 1.59, 1],
  ['lake', { tags: ['lake'] }, 1.39, 1],
  ['lake', { alt: 'A lake' }, 1.212, 1],
  ['lake', { title: 'Lake', tags: ['lake'], alt: 'A lake' }, 1.805, 1],
  ['lake', { title: 'On a lake' }, 1.531, 1],
  ['lake', { title: 'Dog', tags: ['lake'] }, 1.24, 1],
  ['lake', { title: 'To be or not', tags: ['lake'] }, 1.277, 1],
  ['lake', { title: '2019' }, 0, 0],
  ['lake', { title: 'Lake 2019' }, 1.59, 1],
  ['lake', { title: 'Lake 4wd a380' }, 1.364, 0.7],
  // One of more than eight words, or of more than eight tags, counts less.
  ['lake', { title: `${shorter} lake` }, 1.318, 1],
  ['lake', { title: `${shorter} eight lake` }, 1.294, 0.7],
  ['lake', { tags }, 1.204, 1],
  ['lake', { tags: [...tags, 'i'] }, 1.181, 0.7],
  ['mountain lake', { title: 'A lake' }, 0.912, 0.523],
  ['mountain lake', { title: 'Lake hut' }, 0.762, 0.366],
  ['mountain lake', { title: 'Mountain lake' }, 1.71, 1],
  ['mountain lake', { title: 'Lake at a mountain' }, 1.503, 1],
  ['mountain lake', { title: 'Mountain', tags: ['lake'] }, 1.46, 1],
  ['wonderful', { title: 'Wonderful' }, 1.49, 1],
  // The word after `fox` shows if the title is about a fox.
  ['fox', { title: 'Fox in snow' }, 1.481, 1],
  ['fox', { title: 'Fox wallpaper' }, 1.51, 1],
  ['fox', { title: 'Fox running' }, 1.51, 1],
  ['fox', { title: 'Fox kingdom' }, 1.41, 0.7],
  ['to be or not to be', { title: 'To be' }, 0, 0],
])('texts are scored and covered by the query "%s"', (query, texts, score, coverage) =>
  expect(match(query, texts)).toEqual({ score, coverage }),
);

test('the relevance of an image is the sum of its match and its provider rank', () => {
  expect(weighRelevance(1.5, 1)).toBeCloseTo(1.5 + 0.2);
  expect(weighRelevance(1.5, 3, { match: 0.2, rank: 2 })).toBeCloseTo(0.3 + 1);
});
