/** Measures the service as ratios within one run on one machine, and compares them with their bounds. */

import { Option } from 'commander';
import { createCommand, run } from '../../cli/command';
import { print, table } from '../../cli/output';
import { measureFunctions, measureRenditions } from './functions';
import { endChildren, type Row } from './pairs';
import { measureService } from './service';

const groups: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  functions: measureFunctions,
  service: measureService,
  render: measureRenditions,
};

async function measureAll({ only, json }: { readonly only?: string; readonly json: boolean }): Promise<void> {
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(groups)) {
    if (only !== undefined && only !== name) continue;
    process.stderr.write(`${name} …\n`);
    rows.push(...(await measure()));
  }
  const judged = rows.map(({ name, ratio, bound, ok }) => ({ name, ratio, bound, ok }));
  const text = (columns: number) =>
    table(
      ['Measurement', 'Measured', 'Beside', 'Ratio', 'Bound', 'Verdict'],
      rows.map(({ name, measured, least, unit, ratio, bound, ok }) => [
        ...[name, `${measured.toFixed(2)} ${unit}`, `${least.toFixed(2)} ${unit}`],
        ...[ratio.toFixed(3), `≤ ${bound}`, ok ? 'within' : 'MISSED'],
      ]),
      columns,
    );
  const exitCode = judged.every(({ ok }) => ok) ? 0 : 1;
  print({ json: { rows: judged }, text, exitCode }, json);
}

process.on('exit', endChildren);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

run(
  createCommand('bench', {
    summary: 'Measure performance as ratios within one run on this machine.',
    program: 'npm run bench --',
    examples: ['--only functions', '--json'],
  })
    .addOption(new Option('--only <GROUP>', 'one group of measurements').choices(Object.keys(groups)))
    .option('--json', 'print JSON instead of a table', false)
    .action((options) =>
      measureAll(options)
        .catch((error: unknown) => {
          // What goes wrong here is an error in the benchmark, so where it happened matters.
          process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
          process.exitCode = 1;
        })
        .finally(endChildren),
    ),
);
