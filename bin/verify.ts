/** Looks for a history that breaks the charging protocol: as many seeds as there is patience for, or one of them, told in full. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { simulate } from '../test/simulation/simulate';

const usage = `verify [--seeds 100000] [--from 0] | --seed 42 | --model [options of verify-model]

  --seeds  how many histories to try; ten faults that are found end the search
  --from   the first seed
  --seed   one history, told message by message
  --model  explores the protocol's model in its full configurations instead`;

const faultsMax = 10;
const reportedEvery = 10_000;

async function search(from: number, count: number): Promise<boolean> {
  const startMs = performance.now();
  let faults = 0;
  let calls = 0;
  for (let seed = from; seed < from + count && faults < faultsMax; seed++) {
    const simulated = await simulate(seed);
    calls += simulated.calls;
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
  return faults === 0;
}

async function replay(seed: number): Promise<boolean> {
  const { violations } = await simulate(seed, { print: (line) => console.log(line) });
  for (const violation of violations) console.log(`VIOLATED ${violation}`);
  if (violations.length === 0) console.log('Every promise was kept.');
  return violations.length === 0;
}

/** A process of its own, because its memory is the model's. */
function exploreModel(args: readonly string[]): boolean {
  const script = join(__dirname, 'verify-model.ts');
  const { status } = spawnSync(
    process.execPath,
    ['--no-warnings', '--max-old-space-size=4096', '--import', 'tsx', script, ...args],
    { stdio: 'inherit' },
  );
  return status === 0;
}

async function main(): Promise<boolean> {
  const args = process.argv.slice(2);
  if (args.includes('--model')) return exploreModel(args.filter((arg) => arg !== '--model'));
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '100000' },
      from: { type: 'string', default: '0' },
      seed: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return true;
  }
  return values.seed === undefined
    ? search(Number(values.from), Number(values.seeds))
    : replay(Number(values.seed));
}

void main().then((isSound) => {
  if (!isSound) process.exitCode = 1;
});
