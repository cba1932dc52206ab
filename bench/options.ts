/** The command-line options of the benchmark. */

import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** The one group to run; absent for all. */
  readonly only?: string;
  readonly isJson: boolean;
  /** Whether docs/performance.md is written anew. */
  readonly isRecorded: boolean;
}

/** @throws `RangeError` for a group that does not exist, `TypeError` for an unknown option. */
export function readOptions(args: readonly string[], groups: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
    },
  });
  const { only, json, record } = values;
  if (only !== undefined && !groups.includes(only))
    throw new RangeError(`--only takes one of ${groups.join(', ')}, not "${only}".`);
  if (only !== undefined && record) throw new RangeError('--record takes a whole run, without --only.');
  return { ...(only === undefined ? {} : { only }), isJson: json, isRecorded: record };
}
