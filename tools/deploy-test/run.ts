/** Runs programs to their end. A failure is reported with the end of the output. */

import { execFile } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../lib/functions/bundle';

/**
 * Runs a program for its stdout, or throws with the end of its output. By default it runs in the project's folder.
 * `env` is added to the variables of this process.
 */
export type Run = (
  command: string,
  args: readonly string[],
  options?: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> },
) => Promise<string>;

/** Creates a function that runs programs. It adds all output to `programs.log` of the folder. */
export function createRunner(folder: string): Run {
  return async (command, args, { cwd = projectRoot, env } = {}) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: Number.POSITIVE_INFINITY };
    const outcome = promisify(execFile)(command, args, options).catch((error) => error);
    const { stdout, stderr, code = 0 } = await outcome;
    appendFileSync(join(folder, 'programs.log'), stdout + stderr);
    if (code === 0) return stdout;
    const lastLines = `${stdout}${stderr}`.trimEnd().split('\n').slice(-25).join('\n');
    throw new Error(`${[command, ...args].slice(0, 4).join(' ')} … ended with ${code}:\n${lastLines}`);
  };
}
