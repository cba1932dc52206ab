/** Runs a bundled function in a child process, as the Lambda runtime does, and reports what it loaded. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Outcome {
  readonly result?: unknown;
  readonly errorType?: string;
  readonly errorMessage?: string;
}

export interface BundleRun {
  /** One per event; a single error when the module itself could not be loaded. */
  readonly outcomes: readonly Outcome[];
  /** Files below the bundle's folder that the process loaded. */
  readonly loaded: readonly string[];
  /** What the function wrote to its log. */
  readonly log: string;
}

/**
 * @param folder the bundle, as it would be the task root
 * @param environment the function's own variables and where its services are
 */
export async function runBundle(
  folder: string,
  events: readonly unknown[],
  environment: Readonly<Record<string, string>>,
): Promise<BundleRun> {
  const coverage = mkdtempSync(join(tmpdir(), 'bundle-run-'));
  try {
    const child = fork(join(__dirname, 'invoke.mjs'), {
      execArgv: ['--no-warnings'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...environment,
        PATH: process.env['PATH'],
        _HANDLER: 'main.handler',
        LAMBDA_TASK_ROOT: folder,
        AWS_LAMBDA_FUNCTION_NAME: 'function',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        // V8's own record of every script that was loaded.
        NODE_V8_COVERAGE: coverage,
      },
    });
    let log = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        log += text;
      });
    const outcomes = new Promise<readonly Outcome[]>((resolve, reject) => {
      child.once('message', (message) => resolve(message as readonly Outcome[]));
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`The function ended without an answer:\n${log}`)));
    });
    child.send(events);
    const [answered] = await Promise.all([outcomes, once(child, 'close')]);
    return { outcomes: answered, loaded: filesIn(coverage, folder), log };
  } finally {
    rmSync(coverage, { recursive: true, force: true });
  }
}

function filesIn(coverage: string, folder: string): string[] {
  const urls = readdirSync(coverage).flatMap((file) =>
    (JSON.parse(readFileSync(join(coverage, file), 'utf8')).result as { url: string }[]).map(
      ({ url }) => url,
    ),
  );
  return [...new Set(urls)]
    .filter((url) => url.startsWith('file:'))
    .map((url) => fileURLToPath(url))
    .filter((path) => path.startsWith(folder));
}
