/** The command line of the benchmark. */

import { type Command, Option } from 'commander';
import { createCommand } from '../../cli/command';

export interface BenchOptions {
  /** The one group to run; absent for all. */
  readonly only?: string;
  readonly json: boolean;
  /** Whether docs/performance.md is rewritten. */
  readonly record: boolean;
}

/** @param groups names of the groups of measurements */
export const benchCommand = (groups: readonly string[]): Command =>
  createCommand('bench', {
    summary: 'Measure performance as ratios within one run on this machine.',
    program: 'npm run bench --',
    examples: ['--only cold', '--record'],
  })
    .addOption(new Option('--only <GROUP>', 'one group of measurements').choices(groups).conflicts('record'))
    .option('--json', 'print JSON instead of a table', false)
    .option('--record', 'write docs/performance.md', false);
