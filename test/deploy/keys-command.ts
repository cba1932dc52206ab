/** The keys command for the tested stack. */

import { readFacts } from '../../tools/deploy-test/facts';
import { keysTool } from '../../tools/deploy-test/operator';

/** Runs a command and reads its JSON. */
export function keysCommand<Result>(args: readonly string[]): Promise<Result> {
  const { root, stack } = readFacts();
  return keysTool(stack, args, { cwd: root, env: process.env, signal: new AbortController().signal });
}
