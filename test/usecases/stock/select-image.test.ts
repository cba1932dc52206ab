/** The selection is stable: it depends on the seed and the set of candidates, never on their order. */

import fc from 'fast-check';
import type { Candidate } from '../../../lambda/domain/image/image';
import { selectionOrder } from '../../../lambda/usecases/stock/select-image';
import { candidate } from '../../fakes/stock-provider';

const size = { widthPx: 1_920, heightPx: 1_080 };
const candidates = fc
  .uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 20 })
  .map((ids) => ids.map((id) => candidate(id)));
const first = (from: readonly Candidate[], seed: string) => selectionOrder(from, size, seed)[0]?.id;

describe('the choice among candidates', () => {
  it('does not depend on the order in which the provider names them', () => {
    fc.assert(
      fc.property(candidates, fc.string(), (from, seed) => {
        expect(first([...from].reverse(), seed)).toBe(first(from, seed));
      }),
    );
  });

  it('changes with one more candidate only if that one is chosen', () => {
    fc.assert(
      fc.property(candidates, fc.string(), (from, seed) => {
        const added = candidate('one more, with a name of its own');
        const before = first(from, seed);
        expect([before, added.id]).toContain(first([...from, added], seed));
      }),
    );
  });

  it('stays when any other candidate goes away', () => {
    fc.assert(
      fc.property(candidates, fc.string(), fc.nat(), (from, seed, index) => {
        const chosen = first(from, seed);
        const gone = from[index % from.length];
        if (gone?.id === chosen) return;
        expect(
          first(
            from.filter((one) => one !== gone),
            seed,
          ),
        ).toBe(chosen);
      }),
    );
  });

  it('prefers images that are known to be large enough to those of unknown size', () => {
    const { widthPx: _, heightPx: __, ...unknown } = candidate('unknown');
    const small = candidate('small', { widthPx: 400, heightPx: 300 });
    for (let seed = 0; seed < 20; seed++) {
      const order = selectionOrder([unknown, small, candidate('known')], size, String(seed));
      expect(order.map(({ id }) => id)).toEqual(['known', 'unknown']);
    }
  });

  it('spreads over the candidates as seeds vary', () => {
    const from = ['a', 'b', 'c', 'd'].map((id) => candidate(id));
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 400; seed++) {
      const id = first(from, String(seed)) ?? '';
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    for (const count of counts.values()) expect(count).toBeGreaterThan(60);
  });
});
