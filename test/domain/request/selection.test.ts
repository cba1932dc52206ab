/** The selection among candidates: stable, and different for different seeds. */

import fc from 'fast-check';
import { rankBySeed } from '../../../lambda/domain/request/selection';

const candidates = fc
  .uniqueArray(fc.string(), { minLength: 1, maxLength: 30 })
  .map((ids) => ids.map((id) => ({ id })));

describe('the rank of candidates', () => {
  it('is a reordering: none is lost and none is added', () => {
    fc.assert(
      fc.property(candidates, fc.string(), (all, seed) => {
        expect(rankBySeed(all, seed).toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
          all.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
        );
      }),
    );
  });

  it('does not depend on the order in which they come', () => {
    fc.assert(
      fc.property(candidates, fc.string(), fc.nat(), (all, seed, turn) => {
        const at = turn % all.length;
        expect(rankBySeed([...all.slice(at), ...all.slice(0, at)].reverse(), seed)).toEqual(
          rankBySeed(all, seed),
        );
      }),
    );
  });

  it('of the others stays as it is when one is added or taken away', () => {
    fc.assert(
      fc.property(candidates, fc.string(), fc.nat(), (all, seed, index) => {
        const gone = all[index % all.length];
        const others = all.filter((candidate) => candidate !== gone);
        expect(rankBySeed(all, seed).filter((candidate) => candidate !== gone)).toEqual(
          rankBySeed(others, seed),
        );
      }),
    );
  });

  it('gives every candidate its turn: over many seeds each comes first about equally often', () => {
    const all = Array.from({ length: 5 }, (_, i) => ({ id: `image-${i}` }));
    const firsts = new Map<string, number>();
    for (let seed = 0; seed < 2_000; seed++) {
      const first = rankBySeed(all, `seed-${seed}`)[0]?.id ?? '';
      firsts.set(first, (firsts.get(first) ?? 0) + 1);
    }
    for (const { id } of all) expect(Math.abs((firsts.get(id) ?? 0) - 400)).toBeLessThan(100);
  });

  it('is this one, for ever', () => {
    const order = rankBySeed([{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }], 'mountain lake');
    expect(order.map(({ id }) => id).join('')).toBe('adcb');
  });

  it('does not mix up a seed and an id that join to the same text', () => {
    const of = (seed: string, ...ids: string[]) =>
      rankBySeed(
        ids.map((id) => ({ id })),
        seed,
      ).map(({ id }) => id);
    const seeds = Array.from({ length: 40 }, (_, i) => `s${i}`);
    const same = seeds.filter((seed) => of(`${seed}x`, 'a', 'b')[0] === of(seed, 'xa', 'xb')[0]?.slice(1));
    expect(same.length).toBeLessThan(40);
  });
});
