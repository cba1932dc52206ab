/** What decides which candidate answers a query: its score and the order for a seed. */

import { fitOf, isAvoided, isNonPhoto, type Scored, scoreOf, type Wish } from '../../lambda/stock/rank';
import { understand } from '../../lambda/stock/understand';

const wish: Wish = {
  subject: understand('mountain lake'),
  orientation: 'landscape',
  avoid: [],
  isRankedByRelevance: false,
};
const candidate = (id: string, description: Partial<Scored['description']> = {}, size = {}): Scored => ({
  id,
  widthPx: 3_000,
  heightPx: 2_000,
  ...size,
  description: { rank: 1, ...description },
});

describe('the score', () => {
  const score = (description: Partial<Scored['description']>, more: Partial<Wish> = {}, size = {}) =>
    scoreOf(candidate('a', description, size), { ...wish, ...more });

  const people = { avoid: ['text', 'people'] } as const;
  it.each<[string, number, Partial<Scored['description']>, Partial<Wish>?, object?]>([
    ['the first of its provider', 0.43, {}],
    ['the third', 0.33, { rank: 3 }],
    ['the first of one that ranks by relevance', 2.23, {}, { isRankedByRelevance: true }],
    ['a featured one', 0.63, { isFeatured: true }],
    ['one that is wider', 0.3925, {}, {}, { heightPx: 1_500 }],
    ['one that is higher', 0.405, {}, {}, { heightPx: 2_400 }],
    ['one of 1,920 pixels', 0.43, {}, {}, { widthPx: 1_920, heightPx: 1_280 }],
    ['one of 1,919 pixels', 0.35, {}, {}, { widthPx: 1_919, heightPx: 1_279 }],
    ['a portrait', 0.43, {}, { orientation: 'portrait' }, { widthPx: 2_000, heightPx: 3_000 }],
    ['a portrait that is wider', 0.405, {}, { orientation: 'portrait' }, { widthPx: 2_000, heightPx: 2_500 }],
    ['a square', 0.43, {}, { orientation: 'square' }, { widthPx: 2_000, heightPx: 2_000 }],
    ['one of another orientation', 0.28, {}, { orientation: 'square' }],
    ['one of unknown width', 0.28, {}, { orientation: 'square' }, { widthPx: undefined }],
    ['one of unknown height', 0.28, {}, { orientation: 'square' }, { heightPx: undefined }],
    ['one of unknown size', 0.2, {}, { orientation: 'square' }, { widthPx: undefined, heightPx: undefined }],
    ['one in the colour', 1.03, { color: '#dc1e28' }, { color: 'red' }],
    ['one that names the colour', 0.91, { title: 'Red' }, { color: 'red' }],
    ['a map', -0.49, { title: 'Map' }],
    ['one of a person', -1.19, { title: 'Woman' }, people],
    ['one of a person in its tags', -1.07, { tags: ['women'] }, people],
    ['one of a person in its text', -1.07, { alt: 'Two women' }, people],
  ])('of %s is %d', (_, expected, description, more = {}, size = {}) =>
    expect(score(description, more, size)).toBeCloseTo(expected, 4),
  );

  it('prefers what names every word, and names it in its title', () => {
    expect(score({ title: 'A lake in the mountains' })).toBeGreaterThan(score({ title: 'A lake' }));
    expect(score({ title: 'Mountain lake' })).toBeGreaterThan(score({ tags: ['mountain', 'lake'] }));
  });

  it('trusts the rank more than the words where the provider ranks by relevance itself', () => {
    const isRankedByRelevance = true;
    const named = { title: 'Mountain lake', rank: 9 };
    expect(score(named)).toBeGreaterThan(score({ title: 'Alps' }));
    expect(score(named, { isRankedByRelevance })).toBeLessThan(
      score({ title: 'Alps' }, { isRankedByRelevance }),
    );
  });

  it('takes the match that was judged before the texts were cut', () => {
    expect(score({ match: { score: 1.5, coverage: 1 } })).toBeGreaterThan(score({ title: 'A lake' }));
  });
});

describe('a non-photo', () => {
  it.each([
    ...'map locator logo diagram chart vector illustration engraving lithograph clipart screenshot svg renders'
      .split(' ')
      .map((medium) => [`A ${medium}`, 'mountain lake', true] as const),
    ...['Painting of a lake', 'Old poster'].map((title) => [title, 'mountain lake', false] as const),
    ['Locator map of the canton', 'mountain lake', true],
    ['Old engravings', 'mountain lake', true],
    ['Vector of a lake', 'lake', true],
    ['Stop sign at a lake', 'lake', false],
    ['Treasure map on a table', 'treasure map', false],
    ['Mountain lake', 'mountain lake', false],
    ['Homepage design', 'laptop', false],
  ] as const)('%j for %j: %j', (title, query, is) =>
    expect(isNonPhoto(candidate('a', { title }), understand(query))).toBe(is),
  );
});

describe('what is to be avoided', () => {
  const people =
    'people person man woman boys girl child kids baby family couple crowd human faces portrait model selfie tourists ' +
    'hiker worker player bride groom lady gentleman guy teenager adult friends team athlete actor singer';
  const text =
    'text signs signage lettering typography quote writing words poster billboard label letters slogan graffiti';
  it.each([
    ...people.split(' ').map((word) => ['people', word] as const),
    ...text.split(' ').map((word) => ['text', word] as const),
  ])('%s: %s', (subject, word) => {
    const other = subject === 'people' ? 'text' : 'people';
    for (const description of [{ title: word }, { alt: `A ${word}` }, { tags: ['lake', word] }]) {
      expect(isAvoided(candidate('a', description), [subject])).toBe(true);
      expect(isAvoided(candidate('a', description), [other])).toBe(false);
      expect(isAvoided(candidate('a', description), [])).toBe(false);
    }
  });
});

describe('the fit', () => {
  it.each([
    ['Mountains and a lake', 'exact'],
    ['A lake', 'partial'],
    ['A cabin', 'loose'],
  ] as const)('of %j is %s', (title, fit) =>
    expect(fitOf(candidate('a', { title }), wish.subject)).toBe(fit),
  );
});
