/** The order of what a provider offers, and the place of a seed in it. */

import fc from 'fast-check';
import type { Scored, Wish } from '../../lambda/stock/rank';
import { isAllowed, placeOf, ranked, rankOfSeed } from '../../lambda/stock/rank';
import { understand } from '../../lambda/stock/understand';

const wish: Wish = {
  subject: understand('mountain lake'),
  orientation: 'landscape',
  avoid: [],
  isRankedByRelevance: false,
};
const offered = (id: string, title: string, widthPx = 3_000): Scored => ({
  id,
  widthPx,
  heightPx: Math.round(widthPx / 1.5),
  description: { rank: 1, title },
});
const idsOf = (candidates: readonly Scored[], how = wish) => ranked(candidates, how).map(({ id }) => id);

describe('the order', () => {
  it.each<[string, readonly Scored[], readonly string[]]>([
    ['the better match', [offered('hut', 'Hut'), offered('lake', 'Mountain lake')], ['lake', 'hut']],
    [
      'the larger one of two that match alike',
      [offered('small', 'Mountain lake', 900), offered('large', 'Mountain lake')],
      ['large', 'small'],
    ],
    [
      'the better match, though it is small',
      [offered('large', 'Hut'), offered('small', 'Mountain lake', 900)],
      ['small', 'large'],
    ],
  ])('begins with %s', (_, candidates, ids) => expect(idsOf(candidates)).toEqual(ids));

  it('leaves out what is to be avoided while there is anything else', () => {
    const woman = offered('woman', 'Woman at a mountain lake');
    const how: Wish = { ...wish, avoid: ['people'] };
    expect(idsOf([woman, offered('hut', 'Hut')], how)).toEqual(['hut']);
    expect(idsOf([woman], how)).toEqual(['woman']);
  });

  it('is the same whatever the order of the answer', () => {
    const candidates = Array.from({ length: 8 }, (_, n) =>
      offered(`id-${n}`, n % 2 ? 'Mountain lake' : 'Hut'),
    );
    fc.assert(
      fc.property(fc.shuffledSubarray(candidates, { minLength: 1 }), (some) =>
        expect(idsOf(some)).toEqual(idsOf(some.toReversed())),
      ),
    );
  });
});

it.each([
  ['', 1],
  ['1', 1],
  ['20', 20],
  ['21', undefined],
  ['02', undefined],
  ['0', undefined],
  ['two', undefined],
])('the seed %j means the rank %j', (seed, rank) => expect(rankOfSeed(seed)).toBe(rank));

it('a seed has one place in a list, ranks in their order and from the beginning again beyond its end', () => {
  expect(['', '1', '2', '5', '6', '12'].map((seed) => placeOf(seed, 5))).toEqual([0, 0, 1, 4, 0, 1]);
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 20 }), (seed, length) => {
      expect(placeOf(seed, length)).toBeLessThan(length);
      expect(placeOf(seed, length)).toBe(placeOf(seed, length));
    }),
  );
});

it.each([
  ['cc-by-4.0', true, false, false],
  ['unsplash', true, true, false],
  ['cc0-1.0', true, true, true],
  ['made-up', true, false, false],
])('a licence %s is allowed by no condition, attribution-free and public-domain: %s, %s, %s', (id, ...is) => {
  const license = { id, name: id };
  expect(
    [undefined, 'attribution-free', 'public-domain'].map((each) => isAllowed(license, each as never)),
  ).toEqual(is);
});
