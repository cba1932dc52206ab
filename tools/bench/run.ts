/** Measures the service as ratios within one run on one machine, and compares them with their targets. */

import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from '../../cli/command';
import { entryOf, projectRoot } from '../../lib/functions/bundle';
import { compositionOf } from './composition';
import { startDynamoDbStandIn } from './loopback/dynamodb-stand-in';
import { type BenchOptions, benchCommand } from './options';
import { endAllProcesses } from './processes/run-process';
import { recordOf } from './record';
import { type Row, verdictOf } from './row';
import type { Measure } from './rows/bench';
import { buildOf } from './rows/built';
import { measureBytes } from './rows/bytes';
import { measureCold } from './rows/cold';
import { measureImages } from './rows/images';
import { measureLocalService } from './rows/local-service';
import { measureWarm } from './rows/warm';
import { tableOf } from './table';

const groups: Readonly<Record<string, Measure>> = {
  bytes: measureBytes,
  cold: measureCold,
  warm: measureWarm,
  local: measureLocalService,
  images: measureImages,
};
/** Whatever hangs, the run ends. */
const runMsMax = 290_000;

async function measureAll(options: BenchOptions): Promise<void> {
  const standIn = await startDynamoDbStandIn();
  const rows: Row[] = [];
  try {
    for (const [name, measure] of Object.entries(groups)) {
      if (options.only !== undefined && options.only !== name) continue;
      process.stderr.write(`${name} …\n`);
      rows.push(...(await measure({ standIn })));
    }
  } finally {
    endAllProcesses();
    await standIn.stop();
  }
  const machine = {
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
    node: process.version,
  };
  if (options.record) {
    const compositions = (['redirect', 'authorizer'] as const).map((name) =>
      compositionOf(name, buildOf(entryOf(name)), entryOf(name)),
    );
    const record = recordOf(rows, machine, new Date().toISOString().slice(0, 10), compositions);
    writeFileSync(join(projectRoot, 'docs', 'performance.md'), record);
  }
  const judged = rows.map((row) => ({ ...row, verdict: verdictOf(row) }));
  const output = options.json ? JSON.stringify({ machine, rows: judged }, undefined, 2) : tableOf(rows);
  process.stdout.write(`${output}\n`);
}

process.on('exit', endAllProcesses);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const command = benchCommand(Object.keys(groups)).action(async (options: BenchOptions) => {
  const lastResort = setTimeout(() => {
    process.stderr.write('The benchmark took too long.\n');
    process.exit(1);
  }, runMsMax);
  try {
    await measureAll(options);
  } catch (error) {
    // What goes wrong here is an error in the benchmark, so where it happened matters.
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    clearTimeout(lastResort);
  }
});
run(command);
