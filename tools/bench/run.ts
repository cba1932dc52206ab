/** Measures the service as ratios within one run on one machine, and compares them with their targets. */

import { availableParallelism } from 'node:os';
import { Option } from 'commander';
import { createCommand, run } from '../../cli/command';
import { print, table } from '../../cli/output';
import { type Loopback, startLoopback } from './loopback';
import { endAllProcesses } from './processes';
import { isWithin, type Row } from './row';
import { measureCold } from './rows/cold';
import { measureImages } from './rows/images';
import { measureLocalService } from './rows/local-service';
import { measureWarm } from './rows/warm';

interface BenchOptions {
  /** The one group to run; absent for all. */
  readonly only?: string;
  readonly json: boolean;
}

/** Each group is bounded in count and in time. */
const groups: Readonly<Record<string, (loopback: Loopback) => Promise<readonly Row[]>>> = {
  cold: measureCold,
  warm: measureWarm,
  local: measureLocalService,
  images: measureImages,
};
/** Whatever hangs, the run ends. */
const runMsMax = 580_000;

async function measureAll(options: BenchOptions): Promise<void> {
  const loopback = await startLoopback();
  const rows: Row[] = [];
  try {
    for (const [name, measure] of Object.entries(groups)) {
      if (options.only !== undefined && options.only !== name) continue;
      process.stderr.write(`${name} …\n`);
      rows.push(...(await measure(loopback)));
    }
  } finally {
    endAllProcesses();
    loopback.stop();
  }
  const { platform, arch, version } = process;
  const machine = `${platform} ${arch}, ${availableParallelism()} cores, Node.js ${version}`;
  const judged = rows.map((row) => {
    const { name, ratio, ratioMax, ratioMin } = row;
    return { name, ratio, bound: ratioMax ?? ratioMin, ok: isWithin(row) };
  });
  const text = (columns: number) =>
    table(
      ['Measurement', 'Baseline', 'Ratio', 'Bound', 'Verdict'],
      rows.map((row) => {
        const bound = row.ratioMax === undefined ? `≥ ${row.ratioMin}` : `≤ ${row.ratioMax}`;
        return [row.name, row.baseline, row.ratio.toFixed(3), bound, isWithin(row) ? 'within' : 'MISSED'];
      }),
      columns,
    );
  print({ json: { machine, rows: judged }, text }, options.json);
  if (judged.some(({ ok }) => !ok)) process.exitCode = 1;
}

process.on('exit', endAllProcesses);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
setTimeout(() => {
  process.stderr.write('The benchmark took too long.\n');
  process.exit(1);
}, runMsMax).unref();

run(
  createCommand('bench', {
    summary: 'Measure performance as ratios within one run on this machine.',
    program: 'npm run bench --',
    examples: ['--only cold', '--json'],
  })
    .addOption(new Option('--only <GROUP>', 'one group of measurements').choices(Object.keys(groups)))
    .option('--json', 'print JSON instead of a table', false)
    .action((options: BenchOptions) =>
      measureAll(options).catch((error: unknown) => {
        // What goes wrong here is an error in the benchmark, so where it happened matters.
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        process.exitCode = 1;
      }),
    ),
);
