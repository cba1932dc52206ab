/** Runs a bundled function in a child process, as the Lambda runtime does. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface BundleRun {
  /** One per event; a single error when the module itself could not be loaded. */
  readonly outcomes: readonly { readonly result?: unknown; readonly errorMessage?: string }[];
  /** The log of the function. */
  readonly log: string;
}

/**
 * @param folder the bundle, as it would be the task root
 * @param environment the function's own variables and where its services are
 */
export async function runBundle(
  folder: string,
  events: readonly unknown[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<BundleRun> {
  const child = fork(join(__dirname, 'invoke.mjs'), {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...environment,
      PATH: process.env['PATH'],
      LAMBDA_TASK_ROOT: folder,
      AWS_LAMBDA_FUNCTION_NAME: 'f',
    },
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  const outcomes = new Promise<BundleRun['outcomes']>((resolve, reject) => {
    child.once('message', (message) => resolve(message as BundleRun['outcomes']));
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`The function ended without an answer:\n${log}`)));
  });
  child.send(events);
  const [answered] = await Promise.all([outcomes, once(child, 'close')]);
  return { outcomes: answered, log };
}
