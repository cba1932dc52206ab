/** The operator's tool for the rehearsed stack. */

import { readFacts } from '../../bin/rehearsal/facts';
import { keysTool } from '../../bin/rehearsal/operator';

/** Runs a command and reads its JSON. */
export function keysCommand<Result>(args: readonly string[]): Promise<Result> {
  const { root, stack } = readFacts();
  return keysTool(stack, args, { cwd: root, env: process.env, signal: new AbortController().signal });
}
