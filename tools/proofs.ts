/** What `npm run verify` tries: each proof runs by itself, and ends in its figures and the number of promises that were broken. */

import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
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

/** @param timeout after which it is ended, in milliseconds; `Infinity` for a program that someone waits for */
function runNode(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
  timeout = programMsMax,
  program = process.execPath,
) {
  const limit = { ...(timeout < Infinity && { timeout }), killSignal: 'SIGKILL' } as const;
  const options = { stdio: 'inherit', cwd: root, env: { ...process.env, ...env }, ...limit } as const;
  spawnSync(program, command, options);
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

/** Bounds of the time of one property in one pass. Some tests count what their inputs came to, which takes some hundred of them. */
const propertyMs = { min: 1_000, max: 5_000 };

/** Tries every property of the tests for some seconds, whatever number of inputs its test names, in passes until a time is over. */
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
  const endsMs = Date.now() + minutes * 60_000;
  const shareMs = Math.ceil((minutes * 60_000 * workers) / properties);
  const forMs = Math.min(propertyMs.max, Math.max(propertyMs.min, shareMs));
  return inFolder((folder) => {
    const counts = join(folder, 'inputs');
    const pass = () =>
      runTests(
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
    let { violations } = pass();
    while (violations === 0 && Date.now() < endsMs) ({ violations } = pass());
    const tried = readFileSync(counts, 'utf8').trim().split('\n').map(Number);
    const inputs = tried.reduce((sum, each) => sum + each, 0);
    return { figures: `${properties} properties, ${count(inputs)} inputs`, violations };
  });
}

/** Where a slip costs money, or shows what is private. */
const mutatedPaths = [
  ...['quota', 'credentials', 'requests', 'serving', 'stock', 'pages'],
  ...['lead-generation', 'pay-for', 'settle'].map((file) => `generation/${file}.ts`),
].map((path) => `lambda/${path}`);

/** Share of the changes that the tests have to notice. */
const noticedMin = 0.9;

/** How many changes of some code were made, and how many of them its tests noticed. */
interface Mutated {
  readonly changes: number;
  readonly noticed: number;
}

/** Stryker needs a later Node.js than the oldest that is supported. */
const laterNode = () =>
  spawnSync(process.execPath, ['tools/node24.mjs', '-p', 'process.execPath'], {
    cwd: root,
    encoding: 'utf8',
  }).stdout.trim();

/**
 * Changes a file or the files of a folder, one change at a time.
 * @param timeout after which it is ended, in milliseconds
 * @returns `undefined` where it did not come to its end
 */
function mutate(path: string, timeout: number): Mutated | undefined {
  return inFolder((folder) => {
    const report = join(folder, 'report.json');
    const command = ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', 'tools/mutants.config.mjs'];
    runNode(command, { MUTANTS: path, MUTANTS_REPORT: report }, timeout, laterNode());
    if (!existsSync(report)) return undefined;
    const { files }: { files: Record<string, { mutants: { status: string }[] }> } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    const statuses = Object.entries(files)
      .filter(([file]) => file.startsWith(path))
      .flatMap(([, { mutants }]) => mutants.map(({ status }) => status));
    const countOf = (...of: readonly string[]) => statuses.filter((status) => of.includes(status)).length;
    const noticed = countOf('Killed', 'Timeout');
    return { noticed, changes: noticed + countOf('Survived', 'NoCoverage') };
  });
}

/** Prints what the tests noticed, and counts it as a violation where that is too little. */
function judged(what: string, { changes, noticed }: Mutated): Proof {
  const figures = `${what}, ${count(changes)} changes, ${((100 * noticed) / (changes || 1)).toFixed(1)} % noticed`;
  console.log(figures);
  return { figures, violations: changes > 0 && noticed >= changes * noticedMin ? 0 : 1 };
}

/** Changes all code of some paths, however long that takes, and counts the paths of whose changes the tests miss more than a tenth. */
export function tryMutants(paths: readonly string[] = mutatedPaths): Proof {
  const proofs = paths.map((given) => {
    const path = relative(root, resolve(root, given));
    console.log(`Changing the code of ${path}`);
    const mutated = mutate(path, Infinity);
    return mutated ? judged(path, mutated) : { figures: `${path} did not come to its end`, violations: 1 };
  });
  const violations = proofs.reduce((sum, proof) => sum + proof.violations, 0);
  return { figures: proofs.map(({ figures }) => figures).join('; '), violations };
}

/**
 * Changes one file after the other, drawn at random, until a time is over: what one run leaves out another comes to. The
 * tests may miss a tenth of all changes together, as one file has few. The file that the time does not suffice for does not count.
 */
export function sampleMutants(minutes: number): Proof {
  const endsMs = Date.now() + minutes * 60_000;
  const files = mutatedPaths
    .flatMap((path) =>
      path.endsWith('.ts') ? path : readdirSync(join(root, path)).map((file) => `${path}/${file}`),
    )
    .filter((file) => file.endsWith('.ts'));
  const left = [...files];
  const all = { files: 0, changes: 0, noticed: 0 };
  for (let leftMs = endsMs - Date.now(); left.length > 0 && leftMs > 0; leftMs = endsMs - Date.now()) {
    const [file = ''] = left.splice(randomInt(left.length), 1);
    const mutated = mutate(file, leftMs);
    if (!mutated) continue;
    judged(file, mutated);
    all.files += 1;
    all.changes += mutated.changes;
    all.noticed += mutated.noticed;
  }
  return judged(`${all.files} of ${files.length} files`, all);
}
