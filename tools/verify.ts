/** Searches for a history that breaks the charging protocol, or tries attacks on costs: `npm run verify -- --help`. */

import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { Option } from 'commander';
import { createCommand, run } from '../cli/command';
import { wholeNumber } from '../cli/option-values';
import { loadSimulation } from '../test/simulation/load-simulation';

const faultsMax = 10;
const reportedEvery = 10_000;

async function search(from: number, count: number): Promise<boolean> {
  const { simulate } = await loadSimulation();
  const startMs = performance.now();
  const endings = new Set<string>();
  let faults = 0;
  let calls = 0;
  for (let seed = from; seed < from + count && faults < faultsMax; seed++) {
    const simulated = await simulate(seed);
    calls += simulated.calls;
    for (const ending of simulated.endings) endings.add(ending);
    const done = seed - from + 1;
    if (simulated.violations.length > 0) {
      faults += 1;
      console.log(`Seed ${seed}:\n  ${simulated.violations.join('\n  ')}`);
      console.log(`  replay: npm run verify -- --seed ${seed}`);
    }
    if (done % reportedEvery === 0 || done === count) {
      const seconds = ((performance.now() - startMs) / 1_000).toFixed(0);
      console.log(`${done} histories, ${calls} messages, ${faults} with a fault, ${seconds} s`);
    }
  }
  console.log(`Requests ended in: ${[...endings].sort().join(', ')}`);
  return faults === 0;
}

async function replay(seed: number): Promise<boolean> {
  const { simulate } = await loadSimulation();
  const { violations } = await simulate(seed, { print: (line) => console.log(line) });
  for (const violation of violations) console.log(`VIOLATED ${violation}`);
  if (violations.length === 0) console.log('Every promise was kept.');
  return violations.length === 0;
}

interface VerifyOptions {
  readonly attacks?: true;
  readonly seeds: number;
  readonly from: number;
  readonly seed?: number;
}

const simulation = createCommand('verify', {
  summary: 'Simulate histories of the charging protocol under faults, and check each.',
  program: 'npm run verify --',
  examples: ['--seeds 100000', '--seed 42', '--attacks'],
})
  .option('--seeds <N>', 'number of histories; ten faults end the search', wholeNumber('--seeds'), 100_000)
  .option('--from <N>', 'the first seed', wholeNumber('--from'), 0)
  .addOption(
    new Option('--seed <N>', 'one history, printed message by message')
      .argParser(wholeNumber('--seed'))
      .conflicts(['seeds', 'from']),
  )
  .option('--attacks', 'try the attacks on costs against a local service instead, and say what each costs')
  .action(async ({ seeds, from, seed, attacks }: VerifyOptions) => {
    if (attacks) {
      const jest = require.resolve('jest/bin/jest');
      const { status } = spawnSync(process.execPath, [jest, 'test/e2e/attack'], { stdio: 'inherit' });
      process.exitCode = status ?? 1;
      return;
    }
    const isSound = seed === undefined ? await search(from, seeds) : await replay(seed);
    if (!isSound) process.exitCode = 1;
  });

run(simulation);
