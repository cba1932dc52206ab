/** The operator's commands for the tested stack. */

import { readFacts } from '../../tools/deploy-test/facts';
import { operatorTool } from '../../tools/deploy-test/operator';

/** Runs a command and reads its JSON. */
export function operatorCommand<Result>(args: readonly string[]): Promise<Result> {
  const { root, stack } = readFacts();
  return operatorTool(stack, args, { cwd: root, env: process.env, signal: new AbortController().signal });
}

/** As `operatorCommand`, of `keys`. */
export const keysCommand = <Result>(args: readonly string[]) => operatorCommand<Result>(['keys', ...args]);
