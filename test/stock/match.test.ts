/** How well texts match a subject, and what is said of it. */

import { fitOfCoverage, matchOf, type Texts } from '../../lambda/stock/match';
import { understand } from '../../lambda/stock/understand';

const match = (query: string, texts: Texts) => matchOf(texts, understand(query));

it.each<[string, string, Texts, Texts]>([
  ['more of the words', 'mountain lake', { title: 'Mountain lake' }, { title: 'Lake' }],
  ['the words together', 'red fox', { title: 'Red fox in snow' }, { title: 'Fox in red snow' }],
  [
    'a title that is about it',
    'orange',
    { title: 'Slices of orange' },
    { title: 'Orange flowers in spring' },
  ],
  ['a title and a tag', 'lake', { title: 'Lake', tags: ['lake'] }, { title: 'Lake' }],
  [
    'fewer other words',
    'lake',
    { title: 'Lake' },
    { title: 'Lake, hut, road, sign, fence, dog and much more' },
  ],
  ['a tag of both words in one', 'black cat', { tags: ['blackcat', 'black'] }, { tags: ['sky', 'black'] }],
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

it('is nothing without words', () =>
  expect(match('to be or not to be', { title: 'To be' })).toEqual({ score: 0, coverage: 0 }));
