/** Explores the charging protocol's model in its full configurations and prints what it found; exits 1 on a violation. */
import { performance } from 'node:perf_hooks';
import { createCommand, run } from '../../cli/command';
import { wrongUsage } from '../../cli/failure';
import { wholeNumber } from '../../cli/option-values';
import { type Configuration, fullConfigurations } from '../../test/protocol/model/configurations';
import { mutants } from '../../test/protocol/model/mutants';
import { design, without } from '../../test/protocol/model/rules';
import { type Exploration, explore, type Limits } from '../../test/protocol/model/search/explorer';

const known = fullConfigurations.map(({ name }) => name).join(', ');

const row = (...cells: readonly string[]): string =>
  cells
    .map((cell, i) => (i === 1 ? cell.padEnd(60) : i === 0 ? cell.padEnd(3) : cell.padStart(12)))
    .join(' ');

function exploreAll(configurations: readonly Configuration[], limits: Limits): boolean {
  let sound = true;
  console.log(row('', 'configuration', 'states', 'transitions', 'depth', 'exhausted', 'seconds'));
  for (const c of configurations) {
    const from = limits.clock();
    const result = explore(c, design, limits);
    const seconds = ((limits.clock() - from) / 1000).toFixed(1);
    const counts = [result.states, result.transitions, result.depth].map((n) => n.toLocaleString('en'));
    const end = result.violation ? 'VIOLATED' : result.exhausted ? 'yes' : 'no';
    console.log(row(c.name, c.about, ...counts, end, seconds));
    if (result.violation) {
      sound = false;
      printTrace(result);
    }
  }
  return sound;
}

function tryMutants(limits: Limits, traces: boolean): boolean {
  let sound = true;
  console.log('\nGuards taken away:');
  for (const mutant of mutants) {
    const result = explore(mutant.on, without(...mutant.missing), limits);
    const text = result.violation?.text;
    const asPromised = mutant.breaks ? text?.startsWith(`${mutant.breaks}:`) : result.exhausted;
    if (!asPromised) sound = false;
    const found = text
      ? `${text} (${result.violation?.trace.length} steps)`
      : `safe: ${mutant.because ?? 'not caught'}`;
    console.log(`${asPromised ? ' ' : '!'} ${mutant.name.padEnd(46)} ${found}`);
    if (traces && result.violation) printTrace(result);
  }
  return sound;
}

function printTrace(result: Exploration): void {
  console.log(`    ${result.violation?.text}`);
  for (const [i, line] of (result.violation?.trace ?? []).entries()) console.log(`    ${i + 1}. ${line}`);
}

interface ModelOptions {
  readonly only?: string;
  readonly seconds: number;
  readonly states: number;
  readonly traces?: boolean;
  readonly mutants: boolean;
}

const exploration = createCommand('verify --model', {
  summary:
    'Explore the model of the charging protocol in its full configurations, and with guards taken away.',
  program: 'npm run verify -- --model',
  examples: ['--seconds 60', '--only A,B --traces'],
})
  .option('--only <NAMES>', 'explore these configurations, comma-separated')
  .option('--seconds <N>', 'time for each configuration', wholeNumber('--seconds'), 300)
  .option(
    '--states <N>',
    'bound on the states of a configuration, about 60 bytes each',
    wholeNumber('--states'),
    16_000_000,
  )
  .option('--traces', 'print the counterexample of every mutant')
  .option('--no-mutants', 'leave the mutants out')
  .action(({ only, seconds, states, traces, mutants: isWithMutants }: ModelOptions) => {
    const names = only?.split(',');
    const limits: Limits = { states, elapsedMs: seconds * 1_000, clock: () => performance.now() };
    const chosen = fullConfigurations.filter((c) => names === undefined || names.includes(c.name));
    if (chosen.length === 0) throw wrongUsage(`--only names none of the configurations, which are ${known}.`);
    const designHolds = exploreAll(chosen, limits);
    const mutantsCaught = !isWithMutants || tryMutants(limits, traces === true);
    if (!designHolds || !mutantsCaught) process.exitCode = 1;
  });

run(exploration);
