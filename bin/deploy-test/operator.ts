/** What an operator does after the first deployment, with the operator's own tool. */

import { type ProgramOptions, runProgram } from './run-program';

/** A key as `create --json` prints it. */
export interface IssuedKey {
  readonly key: string;
  readonly keyId: string;
  readonly account: string;
}

/** Runs a command of the keys tool for a stack and reads its JSON, which is logged nowhere: it may hold a key. */
export async function keysTool<Result>(
  stack: string,
  args: readonly string[],
  options: Omit<ProgramOptions, 'log'>,
): Promise<Result> {
  const command = [
    '--import',
    'tsx',
    'bin/image-redirect.ts',
    'keys',
    ...args,
    '--stack',
    stack,
    '--json',
    '--yes',
  ];
  return JSON.parse(await runProgram('node', command, options));
}
