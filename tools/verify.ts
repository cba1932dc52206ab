/** Searches for what the tests miss: histories that break the charging protocol, attacks on costs, mutants that survive. See `npm run verify -- --help`. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** Runs another program, whose fault is one of this. */
function passOn(command: readonly string[], env = process.env): void {
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit', env });
  if (status !== 0) process.exitCode = status ?? 1;
}

const root = join(__dirname, '..');
/** Test files that jest runs at once. */
const workers = 2;

/** Tries every property for its part of the time, whatever number of inputs its test names. */
function tryProperties(minutes: number): void {
  const files = ['test', 'packages/client/test', 'packages/scene/test']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, `${file}`)),
    )
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => ({
      file,
      properties: readFileSync(join(root, file), 'utf8').split('fc.assert(').length - 1,
    }))
    .filter(({ properties }) => properties > 0);
  const properties = files.reduce((sum, file) => sum + file.properties, 0);
  const forMs = Math.ceil((minutes * 60_000 * workers) / properties);
  const counts = join(mkdtempSync(join(tmpdir(), 'fuzz-')), 'counts');
  passOn(
    [
      require.resolve('jest/bin/jest'),
      `--setupFilesAfterEnv=${join(root, 'test/fuzz.ts')}`,
      `--maxWorkers=${workers}`,
      // A property may be tried once for each row of its test's table.
      `--testTimeout=${100 * forMs + 60_000}`,
      '--runTestsByPath',
      ...files.map(({ file }) => file),
    ],
    { ...process.env, FUZZ_MS: String(forMs), FUZZ_COUNTS: counts },
  );
  const tried = readFileSync(counts, 'utf8').trim().split('\n').map(Number);
  const inputs = tried.reduce((sum, count) => sum + count, 0);
  console.log(`${tried.length} properties, ${inputs.toLocaleString('en')} inputs`);
}

/** Where a slip costs money, or shows what is private. */
const mutatedSubjects = ['quota', 'credentials', 'requests', 'serving', 'stock', 'pages'].map(
  (subject) => `lambda/${subject}`,
);

/** Stryker needs a later Node.js than the oldest that is supported. */
function mutate(path: string): void {
  const program = ['node24.mjs', '../node_modules/@stryker-mutator/core/bin/stryker.js'];
  const [node24 = '', stryker = ''] = program.map((file) => join(__dirname, file));
  passOn([node24, stryker, 'run', join(__dirname, 'mutants.config.mjs')], { ...process.env, MUTANTS: path });
}

interface VerifyOptions {
  readonly attacks?: true;
  readonly mutants?: true | string;
  readonly fuzz?: number;
  readonly seeds: number;
  readonly from: number;
  readonly seed?: number;
}

const simulation = createCommand('verify', {
  summary: 'Simulate histories of the charging protocol under faults, and check each.',
  program: 'npm run verify --',
  examples: ['--seeds 100000', '--seed 42', '--attacks', '--fuzz 10', '--mutants lambda/quota'],
})
  .option('--seeds <N>', 'number of histories; ten faults end the search', wholeNumber('--seeds'), 100_000)
  .option('--from <N>', 'the first seed', wholeNumber('--from'), 0)
  .addOption(
    new Option('--seed <N>', 'one history, printed message by message')
      .argParser(wholeNumber('--seed'))
      .conflicts(['seeds', 'from']),
  )
  .option('--attacks', 'try the attacks on costs against a local service instead, and say what each costs')
  .option('--fuzz <MINUTES>', 'try the properties of the tests for a time', wholeNumber('--fuzz'))
  .option('--mutants [PATH]', 'change the code of a subject or a file, and say which changes no test notices')
  .action(async ({ seeds, from, seed, attacks, mutants, fuzz }: VerifyOptions) => {
    if (attacks) return passOn([require.resolve('jest/bin/jest'), 'test/e2e/attack']);
    if (fuzz !== undefined) return tryProperties(fuzz);
    if (mutants) {
      for (const path of mutants === true ? mutatedSubjects : [mutants]) mutate(path);
      return;
    }
    const isSound = seed === undefined ? await search(from, seeds) : await replay(seed);
    if (!isSound) process.exitCode = 1;
  });

run(simulation);
