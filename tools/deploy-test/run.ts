/** Runs programs to their end, and reports a failure in few words. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** A failure of the deployment test, with a message for the person who runs it. */
export class Failure extends Error {
  override readonly name = 'Failure';
}

interface RunOptions {
  /** Working folder; by default the project's. */
  readonly cwd?: string;
  /** Variables beside those of the runner. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether to show the output to the person who runs the test. */
  readonly isShown?: boolean;
}

/** Runs a program. @returns its stdout. @throws `Failure` with the end of its output when it fails */
export type Run = (command: string, args: readonly string[], options?: RunOptions) => Promise<string>;

/** A function that runs programs. @param folder where `programs.log` gets all output */
export function runner(folder: string, env: NodeJS.ProcessEnv): Run {
  const root = join(__dirname, '..', '..');
  return async (command, args, { cwd = root, env: added, isShown = false } = {}) => {
    const child = spawn(command, args, { cwd, env: { ...env, ...added }, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let output = '';
    const keep = (chunk: Buffer) => {
      output += chunk.toString();
      if (isShown) process.stderr.write(chunk);
      appendFileSync(join(folder, 'programs.log'), chunk);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      keep(chunk);
    });
    child.stderr.on('data', keep);
    const [code] = (await once(child, 'close')) as [number | null];
    if (code === 0) return stdout;
    const end = isShown ? '' : `:\n${output.trimEnd().split('\n').slice(-25).join('\n')}`;
    throw new Failure(`${[command, ...args].slice(0, 4).join(' ')} … ended with ${code}${end}`);
  };
}
