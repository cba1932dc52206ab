/** How well texts match a subject, and what is said of it. */

import { fitOfCoverage, matchOf, relevanceOf, type Texts } from '../../lambda/stock/match';
import { understand } from '../../lambda/stock/understand';

const match = (query: string, texts: Texts) => matchOf(texts, understand(query));

it.each<[string, string, Texts, Texts]>([
  ['the words together', 'red fox', { title: 'Red fox in snow' }, { title: 'Fox in red snow' }],
  [
    'a title that is about it',
    'orange',
    { title: 'Slices of orange' },
    { title: 'Orange flowers in spring' },
  ],
  [
    'fewer other words',
    'lake',
    { title: 'Lake' },
    { title: 'Lake, hut, road, sign, fence, dog and much more' },
  ],
  ['another form of the word', 'wolves', { title: 'A wolf' }, { title: 'A dog' }],
])('%s matches better', (_, query, better, worse) =>
  expect(match(query, better).score).toBeGreaterThan(match(query, worse).score),
);

it.each<[string, Texts, string]>([
  ['all of the subject', { title: 'Mountain above the lake' }, 'exact'],
  ['some of it', { title: 'A lake' }, 'partial'],
  ['nothing of it', { title: 'DSC_0412' }, 'loose'],
  [
    'all of it among many tags',
    { title: 'Expo', tags: [...Array(30).keys()].map(String).concat('mountain', 'lake') },
    'partial',
  ],
  ['it of another thing', { title: 'Mountain lake hotel sign' }, 'partial'],
])('texts that name %s: %j is %s', (_, texts, fit) =>
  expect(fitOfCoverage(match('mountain lake', texts).coverage)).toBe(fit),
);

const shorter = 'one two three four five six seven';
const tags = ['lake', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

it('scores and covers as these do', () => {
  for (const [query, texts, score, coverage] of [
    ['lake', { title: 'Lake' }, 1.59, 1],
    ['lake', { tags: ['lake'] }, 1.39, 1],
    ['lake', { alt: 'A lake' }, 1.212, 1],
    ['lake', { title: 'Lake', tags: ['lake'], alt: 'A lake' }, 1.805, 1],
    ['lake', { title: 'On a lake' }, 1.531, 1],
    ['lake', { title: 'Dog', tags: ['lake'] }, 1.24, 1],
    ['lake', { title: 'To be or not', tags: ['lake'] }, 1.277, 1],
    ['lake', { tags: ['blue lake'] }, 1.36, 1],
    ['lake', { title: '2019' }, 0, 0],
    ['lake', { title: 'Lake 2019' }, 1.59, 1],
    ['lake', { title: 'Lake 4wd a380' }, 1.364, 0.7],
    // Among more than eight words, or tags, one counts less.
    ['lake', { title: `${shorter} lake` }, 1.318, 1],
    ['lake', { title: `${shorter} eight lake` }, 1.294, 0.7],
    ['lake', { tags }, 1.204, 1],
    ['lake', { tags: [...tags, 'i'] }, 1.181, 0.7],
    ['mountain lake', { title: 'A lake' }, 0.912, 0.523],
    ['mountain lake', { title: 'Lake hut' }, 0.762, 0.366],
    ['mountain lake', { title: 'Mountain lake' }, 1.71, 1],
    ['mountain lake', { title: 'Lake at a mountain' }, 1.503, 1],
    ['mountain lake', { title: 'Mountain', tags: ['lake'] }, 1.46, 1],
    ['black cat', { tags: ['black cat'] }, 1.36, 1],
    ['wonderful', { title: 'Wonderful' }, 1.49, 1],
    // What follows a word of the title says whether that is about it.
    ['fox', { title: 'Fox in snow' }, 1.481, 1],
    ['fox', { title: 'Fox wallpaper' }, 1.51, 1],
    ['fox', { title: 'Fox running' }, 1.51, 1],
    ['fox', { title: 'Fox kingdom' }, 1.41, 0.7],
  ] as const)
    expect([query, texts, match(query, texts)]).toEqual([query, texts, { score, coverage }]);
});

it.each([
  [0.85, 'exact'],
  [0.849, 'partial'],
  [0.3, 'partial'],
  [0.299, 'loose'],
])('of %d of the subject is %s', (coverage, fit) => expect(fitOfCoverage(coverage)).toBe(fit));

it('is weighed with the place in the order of its provider', () => {
  expect(relevanceOf(1.5, 1)).toBeCloseTo(1.5 + 0.2);
  expect(relevanceOf(1.5, 3, { match: 0.2, rank: 2 })).toBeCloseTo(0.3 + 1);
});

it('is nothing without words', () =>
  expect(match('to be or not to be', { title: 'To be' })).toEqual({ score: 0, coverage: 0 }));
