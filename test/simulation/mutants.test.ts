/** The simulation notices each guard of the charging protocol that is missing, and each step that is taken in another order. */

import { lazily } from '../../lambda/base/lazily';
import { loadSimulation } from './load-simulation';
import { mutants } from './mutants';
import type { Setting } from './setting';

/** A mutant that is not caught within so many seeds counts as missed. */
const seedsPerMutant = 600;
/** Of the one kind of request that each mutant spoils, and nothing that keeps it from being served. */
const plain: Partial<Setting> = {
  varietyRate: 0,
  windowMax: 1_000,
  generationsPerDay: undefined,
  isUnlimited: false,
};
/** The settings that mutants need, each once. */
const settings = [...new Set(mutants.map(({ setting }) => JSON.stringify(setting)))];
const original = lazily(() => loadSimulation());

jest.setTimeout(300_000);

it.each(mutants.map((mutant) => [mutant.name, mutant] as const))('notices %s', async (_, mutant) => {
  const { simulate } = await loadSimulation(mutant.edits);
  const { setting, breaks } = mutant;
  let caught = false;
  for (let seed = 0; seed < seedsPerMutant && !caught; seed++) {
    const { violations } = await simulate(seed, { setting: { ...plain, ...setting } });
    caught = violations.some((violation) => breaks.test(violation));
  }
  expect(caught).toBe(true);
});

it.each(settings)('notices nothing in the setting of a mutant without the mutant: %s', async (text) => {
  const { simulate } = await original();
  const setting = { ...plain, ...JSON.parse(text) };
  for (let seed = 0; seed < 60; seed++) {
    const { violations } = await simulate(seed, { setting });
    expect({ seed, violations }).toEqual({ seed, violations: [] });
  }
});
