/** The charging protocol keeps its invariants in every reachable state, and each of its guards is necessary. */
import { performance } from 'node:perf_hooks';
import { mutants } from './model/mutants';
import { design, type Rules, without } from './model/rules';
import { type Exploration, explore } from './model/search/explorer';
import { small } from './model/small-configurations';

// The count bounds the run; the time is only a net under a machine that is far too slow.
const limits = { states: 1_000_000, elapsedMs: 60_000, clock: () => performance.now() };
const run = (on: (typeof mutants)[number]['on'], rules: Rules): Exploration => explore(on, rules, limits);

jest.setTimeout(120_000);

describe('the design', () => {
  test.each(Object.values(small))('holds in every state of "$name": $about', (c) => {
    const result = run(c, design);
    expect(result.violation?.trace.join('\n')).toBeUndefined();
    expect(result.exhausted).toBe(true);
  });
});

describe('without a guard', () => {
  const caught = mutants.filter((m) => m.breaks !== undefined);
  test.each(caught)('$name: breaks $breaks', (mutant) => {
    const { violation } = run(mutant.on, without(...mutant.missing));
    expect(violation?.text.split(':')[0]).toBe(mutant.breaks);
    expect(violation?.trace.length).toBeGreaterThan(1);
  });
});

describe('a guard that another one backs up', () => {
  const safe = mutants.filter((m) => m.breaks === undefined);
  test.each(safe)('$name: safe, because $because', (mutant) => {
    const result = run(mutant.on, without(...mutant.missing));
    expect(result.violation?.trace.join('\n')).toBeUndefined();
    expect(result.exhausted).toBe(true);
  });
});

test('every guard of the design is taken away by some mutant', () => {
  const taken = new Set<string>(mutants.flatMap((m) => m.missing));
  expect(Object.keys(design).filter((rule) => !taken.has(rule))).toEqual([]);
});

test('a counterexample is a shortest one: the plain ADD needs only the lost answer to a reserve', () => {
  const { violation } = run(small.lost, without('reserveOnce'));
  expect(violation?.trace.map((line) => line.split(',')[0])).toEqual([
    'op 1: acquire',
    'op 1: reserve',
    'op 1: reserve',
    'late message: reserve of op 1',
  ]);
});
