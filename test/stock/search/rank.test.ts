/** Candidates have scores, fit and order. A seed chooses one of them. */

import fc from 'fast-check';
import {
  computeSeedIndex,
  decideFit,
  isAllowed,
  parseSeedRank,
  type Rankable,
  type RankingCriteria,
  rankCandidates,
  scoreCandidate,
} from '../../../lambda/stock/search/rank';
import { parseSubject } from '../../../lambda/stock/subject';

type Description = Partial<Rankable['description']>;
const criteria: RankingCriteria = {
  subject: parseSubject('mountain lake'),
  orientation: 'landscape',
  avoid: [],
  isRankedByRelevance: false,
};
const makeRankedCandidate = (id: string, description: Description = {}, size = {}) => ({
  id,
  widthPx: 3_000,
  heightPx: 2_000,
  ...size,
  description: { rank: 1, ...description },
});

test.each<[string, number, Description, Partial<RankingCriteria>?, object?]>([
  ['the first of its provider', 0.43, {}],
  ['the third', 0.33, { rank: 3 }],
  ['the first of one that ranks by relevance', 2.23, {}, { isRankedByRelevance: true }],
  ['a featured one', 0.63, { isFeatured: true }],
  ['one whose match was judged before its texts were cut', 1.93, { match: { score: 1.5, coverage: 1 } }],
  ['one of 1,920 pixels', 0.43, {}, {}, { widthPx: 1_920, heightPx: 1_280 }],
  ['one of 1,919 pixels', 0.35, {}, {}, { widthPx: 1_919, heightPx: 1_279 }],
  ['a portrait', 0.43, {}, { orientation: 'portrait' }, { widthPx: 2_000, heightPx: 3_000 }],
  ['a square', 0.43, {}, { orientation: 'square' }, { widthPx: 2_000, heightPx: 2_000 }],
  ['one of another orientation', 0.28, {}, { orientation: 'square' }],
  ['one of unknown size', 0.2, {}, { orientation: 'square' }, { widthPx: undefined, heightPx: undefined }],
  ['one in the colour', 1.03, { color: '#dc1e28' }, { color: 'red' }],
  ['one that names the colour', 0.91, { title: 'Red' }, { color: 'red' }],
  ['a map', -0.49, { title: 'Map' }],
  ['an engraving', -0.37, { tags: ['Old engravings'] }],
  ['a painting', 0.31, { title: 'Painting' }],
  ['a map for a query for maps', 2.02, { title: 'Map' }, { subject: parseSubject('map') }],
])('the score of %s is %d', (_, expected, description, more = {}, size = {}) =>
  expect(scoreCandidate(makeRankedCandidate('a', description, size), { ...criteria, ...more })).toBeCloseTo(
    expected,
    4,
  ),
);

test.each([
  ['all words', { title: 'Mountains and a lake' }, 'exact'],
  ['a word', { title: 'A lake' }, 'partial'],
  ['no word', { title: 'A cabin' }, 'loose'],
  ['85 %', { match: { score: 1, coverage: 0.85 } }, 'exact'],
  ['less than 85 %', { match: { score: 1, coverage: 0.849 } }, 'partial'],
  ['30 %', { match: { score: 1, coverage: 0.3 } }, 'partial'],
  ['less than 30 %', { match: { score: 1, coverage: 0.299 } }, 'loose'],
] as const)('an image that covers %s of the query fits', (_, description, fit) =>
  expect(decideFit(makeRankedCandidate('a', description), criteria.subject)).toBe(fit),
);

test.each<[string, readonly string[], readonly string[], RankingCriteria['avoid']]>([
  ['the better match', ['Hut', 'Mountain lake'], ['Mountain lake', 'Hut'], []],
  ['one with the thing to avoid, if there is no other', ['Woman'], ['Woman'], ['people']],
])('the first candidate is %s', (_, titles, expected, avoid) => {
  const rankedCandidates = rankCandidates(
    titles.map((title) => makeRankedCandidate(title, { title })),
    { ...criteria, avoid },
  );
  expect(rankedCandidates.map(({ id }) => id)).toEqual(expected);
});

test.each([
  ['text in the title', { title: 'Signs' }],
  ['a person in the title', { title: 'Woman' }],
  ['people in the tags', { tags: ['women'] }],
  ['people in the alternative text', { alt: 'Two women' }],
])('a candidate with %s is left out if another has none', (_, description) => {
  const candidates = [makeRankedCandidate('avoided', description), makeRankedCandidate('other')];
  const ranked = rankCandidates(candidates, { ...criteria, avoid: ['text', 'people'] });
  expect(ranked.map(({ id }) => id)).toEqual(['other']);
});

test.each([
  ['', 1],
  ['1', 1],
  ['20', 20],
  ['21', undefined],
  ['02', undefined],
  ['0', undefined],
  ['two', undefined],
])('the seed %j means the rank %j', (seed, rank) => expect(parseSeedRank(seed)).toBe(rank));

test('a rank beyond the end of a list starts over', () =>
  expect(['', '1', '2', '5', '6', '12'].map((seed) => computeSeedIndex(seed, 5))).toEqual([
    0, 0, 1, 4, 0, 1,
  ]));

test('a seed that is a text keeps its place in a longer list, or moves to the new place', () =>
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 19 }), (text, length) => {
      const places = [computeSeedIndex(`a${text}`, length), length];
      expect(places).toContain(computeSeedIndex(`a${text}`, length + 1));
    }),
  ));

test.each([
  ['cc-by-4.0', true, false, false],
  ['unsplash', true, true, false],
  ['cc0-1.0', true, true, true],
  ['made-up', true, false, false],
])('the licence %s is allowed: %s, as attribution-free: %s, as public-domain: %s', (id, ...is) => {
  const conditions = [undefined, 'attribution-free', 'public-domain'] as const;
  expect(conditions.map((condition) => isAllowed({ id, name: id }, condition))).toEqual(is);
});
