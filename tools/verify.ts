/** Searches for what breaks a promise, or would break it unnoticed: `npm run verify -- --help`. */

import { Option } from 'commander';
import { createCommand, run } from '../cli/command';
import { wholeNumber } from '../cli/option-values';
import {
  type Proof,
  replayHistory,
  sampleMutants,
  simulateHistories,
  tryAttacks,
  tryFaults,
  tryMutants,
  tryProperties,
} from './proofs';

interface VerifyOptions {
  readonly seeds: number;
  readonly from: number;
  readonly seed?: number;
  readonly attacks?: true;
  readonly chaos?: true;
  readonly fuzz?: number;
  readonly mutants?: true | string;
  readonly all?: true;
}

/** Minutes that `--all` gives to the properties, and to changes of the code: with all else, it takes about fifty. */
const fuzzMinutes = 15;
const mutantsMinutes = 20;

/** The proofs that are asked for, by name. */
function proofsOf(options: VerifyOptions): Readonly<Record<string, () => Proof | Promise<Proof>>> {
  const { seeds, from, seed, attacks, chaos, fuzz, mutants, all } = options;
  const isOther = attacks || chaos || fuzz !== undefined || mutants;
  return {
    ...(seed !== undefined && { replay: () => replayHistory(seed) }),
    ...((all || (!isOther && seed === undefined)) && { simulation: () => simulateHistories(from, seeds) }),
    ...((all || attacks) && { attacks: tryAttacks }),
    ...((all || chaos) && { chaos: tryFaults }),
    ...((all || fuzz !== undefined) && { fuzz: () => tryProperties(fuzz ?? fuzzMinutes) }),
    ...(mutants && { mutants: () => tryMutants(typeof mutants === 'string' ? [mutants] : undefined) }),
    ...(all && !mutants && { mutants: () => sampleMutants(mutantsMinutes) }),
  };
}

/** One that does not come to its end breaks a promise too, and stops no other. */
async function proven(prove: () => Proof | Promise<Proof>): Promise<Proof> {
  try {
    return await prove();
  } catch (error) {
    console.error(error);
    return { figures: 'did not come to its end', violations: 1 };
  }
}

const verify = createCommand('verify', {
  summary:
    'Simulate histories of the charging protocol under faults, and try whatever else may break a promise.',
  program: 'npm run verify --',
  examples: ['--seeds 100000', '--seed 42', '--attacks', '--fuzz 10', '--mutants lambda/quota', '--all'],
})
  .option('--seeds <N>', 'number of histories; ten faults end the search', wholeNumber('--seeds'), 100_000)
  .option('--from <N>', 'the first seed', wholeNumber('--from'), 0)
  .addOption(
    new Option('--seed <N>', 'one history, printed message by message')
      .argParser(wholeNumber('--seed'))
      .conflicts(['seeds', 'from', 'all']),
  )
  .option('--attacks', 'the attacks on costs against a local service, and what each costs')
  .option('--chaos', 'faults of what a service depends on: tables, disk, providers, models, clocks, kills')
  .option('--fuzz <MINUTES>', 'the properties of the tests for a time', wholeNumber('--fuzz'))
  .option(
    '--mutants [PATH]',
    'changes of the code of a subject, a file or all that no test notices; takes hours',
  )
  .option('--all', 'everything, unattended, in about an hour; mutants of a random part of the files')
  .action(async (options: VerifyOptions) => {
    const proofs = Object.entries(proofsOf(options));
    const rows: string[] = [];
    let violations = 0;
    for (const [name, prove] of proofs) {
      const proof = await proven(prove);
      violations += proof.violations;
      rows.push(`${name.padEnd(12)}${proof.figures.padEnd(56)}${proof.violations} violations`);
    }
    console.log(`\n${rows.join('\n')}\n\n${violations} violations`);
    if (violations > 0) process.exitCode = 1;
  });

run(verify);
