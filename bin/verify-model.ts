/** Explores the charging protocol's model in its full configurations and prints what it found; exits 1 on a violation. */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { type Configuration, fullConfigurations } from '../test/protocol/model/configurations';
import { mutants } from '../test/protocol/model/mutants';
import { design, without } from '../test/protocol/model/rules';
import { type Exploration, explore, type Limits } from '../test/protocol/model/search/explorer';

const usage = `verify-model [--only A,B] [--seconds 300] [--states 16000000] [--traces] [--no-mutants]

  --only        names of the configurations to explore; all of them otherwise
  --seconds     time for each configuration; one that is cut short says so
  --states      bound on the states of one configuration (about 60 bytes each)
  --traces      print the counterexample of every mutant
  --no-mutants  leave the mutants out`;

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

function main(): void {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      seconds: { type: 'string', default: '300' },
      states: { type: 'string', default: '16000000' },
      traces: { type: 'boolean', default: false },
      'no-mutants': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const names = values.only?.split(',');
  const limits: Limits = {
    states: Number(values.states),
    elapsedMs: Number(values.seconds) * 1000,
    clock: () => performance.now(),
  };
  const chosen = fullConfigurations.filter((c) => names === undefined || names.includes(c.name));
  const designHolds = exploreAll(chosen, limits);
  const mutantsCaught = values['no-mutants'] || tryMutants(limits, values.traces);
  if (!designHolds || !mutantsCaught) process.exitCode = 1;
}

main();
