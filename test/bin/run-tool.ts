/** Runs a command as a child process, as a shell would. */

import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// The tool reads notes from its working folder, and tests run them in an empty one.
const tsx = pathToFileURL(require.resolve('tsx')).href;

export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Stdout as JSON. */
  json<T = Record<string, unknown>>(): T;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

const file = resolve(__dirname, '../../bin/image-redirect.ts');

/** @param args command and options, as they follow `image-redirect` */
export function runTool(args: readonly string[], { cwd, env = {} }: RunOptions): Promise<Ended> {
  const child = spawn(process.execPath, ['--no-warnings', '--import', tsx, file, ...args], {
    cwd,
    // Nothing of this machine's own AWS settings.
    env: {
      PATH: process.env['PATH'],
      HOME: cwd,
      NODE_NO_WARNINGS: '1',
      AWS_EC2_METADATA_DISABLED: 'true',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((ended, failed) => {
    child.on('error', failed);
    child.on('close', (exitCode) => ended({ exitCode, stdout, stderr, json: () => JSON.parse(stdout) }));
  });
}
