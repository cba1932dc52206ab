/** What `npm run verify` tries: each proof runs by itself, and ends in its figures and the number of promises that were broken. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSimulation, simulateAll } from '../test/simulation/load-simulation';

/** One kind of proof that `npm run verify` runs, and the row of its result. */
export interface Proof {
  /** What was tried, and how often. */
  readonly figures: string;
  readonly violations: number;
}

const root = join(__dirname, '..');
const count = (number: number) => number.toLocaleString('en');

const faultsMax = 10;
const reportedEvery = 10_000;

/** Simulates histories of the charging protocol under faults; ten with a fault end it. */
export async function simulateHistories(from: number, histories: number): Promise<Proof> {
  const endings = new Set<string>();
  let [violations, messages, done] = [0, 0, 0];
  await simulateAll(from, histories, (simulated) => {
    messages += simulated.calls;
    done += 1;
    for (const ending of simulated.endings) endings.add(ending);
    if (simulated.violations.length > 0) {
      violations += 1;
      console.log(`Seed ${simulated.seed}:\n  ${simulated.violations.join('\n  ')}`);
      console.log(`  replay: npm run verify -- --seed ${simulated.seed}`);
    }
    if (done % reportedEvery === 0) console.log(`${count(done)} histories, ${violations} with a fault`);
    return violations < faultsMax;
  });
  console.log(`Requests ended in: ${[...endings].sort().join(', ')}`);
  return { figures: `${count(done)} histories, ${count(messages)} messages`, violations };
}

/** Prints one history message by message. */
export async function replayHistory(seed: number): Promise<Proof> {
  const { simulate } = await loadSimulation();
  const { violations } = await simulate(seed, { print: (line) => console.log(line) });
  for (const violation of violations) console.log(`VIOLATED ${violation}`);
  if (violations.length === 0) console.log('Every promise was kept.');
  return { figures: `history ${seed}`, violations: violations.length };
}

/** Whatever hangs, the other proofs have their turn. */
const programMsMax = 30 * 60_000;

function runNode(command: readonly string[], env: Readonly<Record<string, string>> = {}): boolean {
  const limit = { timeout: programMsMax, killSignal: 'SIGKILL' } as const;
  const options = { stdio: 'inherit', cwd: root, env: { ...process.env, ...env }, ...limit } as const;
  return spawnSync(process.execPath, command, options).status === 0;
}

/** Does what needs a folder of its own, which is gone afterwards. */
function inFolder<Result>(use: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'verify-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs test files. */
const runTests = (args: readonly string[], env?: Readonly<Record<string, string>>): Proof =>
  inFolder((folder) => {
    const outputFile = join(folder, 'result.json');
    runNode([require.resolve('jest/bin/jest'), '--json', `--outputFile=${outputFile}`, ...args], env);
    const result: { numPassedTests: number; numFailedTests: number; numFailedTestSuites: number } =
      JSON.parse(readFileSync(outputFile, 'utf8'));
    return {
      figures: `${count(result.numPassedTests + result.numFailedTests)} tests`,
      violations: Math.max(result.numFailedTests, result.numFailedTestSuites),
    };
  });

/** Tries the attacks on costs, on other accounts and on what is private against a local service. */
export function tryAttacks(): Proof {
  return runTests(['test/e2e/attack', 'test/protocol/privacy']);
}

/** Stops, fills, damages, slows and floods what a service depends on, and looks at each answer and charge. */
export function tryFaults(): Proof {
  const files = [
    'test/e2e/(chaos|lifecycle|burst|ceilings|removed)',
    'test/budgets/faults-and-networks',
    'test/local/(embedded-dynamodb|data-folder|kept-file|sweeping)',
    'test/protocol/shedding',
    'test/simulation/starvation',
    'test/stock/(fallback|slow-provider)',
    'test/aws/dynamodb',
  ];
  return runTests(files, { KILLS: '10' });
}

/** Test files that jest runs at once. */
const workers = 2;

/** Some tests count what their inputs came to, which takes some hundred of them. */
const propertyMsMin = 1_000;

/** Tries every property of the tests for its part of a time, whatever number of inputs its test names. */
export function tryProperties(minutes: number): Proof {
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
  const forMs = Math.max(propertyMsMin, Math.ceil((minutes * 60_000 * workers) / properties));
  return inFolder((folder) => {
    const counts = join(folder, 'inputs');
    const { violations } = runTests(
      [
        `--setupFilesAfterEnv=${join(root, 'test/fuzz.ts')}`,
        `--maxWorkers=${workers}`,
        // A property may be tried once for each row of its test's table.
        `--testTimeout=${100 * forMs + 60_000}`,
        '--runTestsByPath',
        ...files.map(({ file }) => file),
      ],
      { FUZZ_MS: String(forMs), FUZZ_COUNTS: counts },
    );
    const tried = readFileSync(counts, 'utf8').trim().split('\n').map(Number);
    const inputs = tried.reduce((sum, each) => sum + each, 0);
    return { figures: `${tried.length} properties, ${count(inputs)} inputs`, violations };
  });
}

/** Where a slip costs money, or shows what is private. */
const mutatedPaths = ['quota', 'credentials', 'requests', 'serving', 'stock', 'pages'].map(
  (subject) => `lambda/${subject}`,
);

/** Changes the code, and counts the paths of whose changes the tests miss more than a tenth. */
export function tryMutants(paths: readonly string[] = mutatedPaths): Proof {
  // Stryker needs a later Node.js than the oldest that is supported.
  const program = ['tools/node24.mjs', 'node_modules/@stryker-mutator/core/bin/stryker.js', 'run'];
  const missed = paths.filter(
    (path) => !runNode([...program, 'tools/mutants.config.mjs'], { MUTANTS: path }),
  );
  return { figures: `${paths.length} paths`, violations: missed.length };
}
