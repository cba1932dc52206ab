/** Runs the keys command. */

import { type Ended, type RunOptions, runTool } from '../run-tool';

export function runKeys(args: readonly string[], options: RunOptions): Promise<Ended> {
  return runTool(['keys', ...args], options);
}
