/** Runs a program to its end and tells its failure in few words. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** What stopped the deployment test, in words for the person who runs it. */
export class DeploymentTestFailure extends Error {
  override readonly name = 'DeploymentTestFailure';
}

/** Where and how a program runs. */
export interface ProgramOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Ends the program when it is aborted. */
  readonly signal: AbortSignal;
  /** Where its output goes as well: to the terminal, or a file that it is appended to. */
  readonly log?: 'shown' | { readonly file: string };
  /** Whether it gives way to programs that the deployment test waits for; what it starts does so too. */
  readonly isBackground?: boolean;
}

/** Of a program in the background, on the scale of `nice`. */
const backgroundPriority = 10;

/** @returns its stdout. @throws `DeploymentTestFailure` with the end of its output, when it ends with another code than 0 */
export async function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env, signal, log, isBackground }: ProgramOptions,
): Promise<string> {
  signal.throwIfAborted();
  // A group of its own, so that what it has started ends with it.
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  if (isBackground && child.pid !== undefined) setPriority(child.pid, backgroundPriority);
  const endGroup = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  };
  signal.addEventListener('abort', endGroup, { once: true });
  let stdout = '';
  let output = '';
  const keep = (chunk: Buffer) => {
    output += chunk.toString();
    if (log === 'shown') process.stderr.write(chunk);
    else if (log) appendFileSync(log.file, chunk);
  };
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    keep(chunk);
  });
  child.stderr.on('data', keep);
  const [code] = (await once(child, 'close').finally(() =>
    signal.removeEventListener('abort', endGroup),
  )) as [number | null];
  signal.throwIfAborted();
  if (code === 0) return stdout;
  const end = log === 'shown' ? '' : `:\n${output.trimEnd().split('\n').slice(-25).join('\n')}`;
  throw new DeploymentTestFailure(`${[command, ...args].slice(0, 3).join(' ')} … ended with ${code}${end}`);
}
