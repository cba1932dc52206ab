/** Runs the command line tool in this process, or as a process of its own. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCommandLine } from '../../cli/command';
import { createTool } from '../../cli/image-redirect';
import { run as pages } from '../../packages/client/src/command/run';

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
  /** The input of a user in the terminal before its end; absent for no terminal. */
  readonly typed?: string;
}

/** Nothing of this machine's own AWS settings. */
const makeEnvironment = ({ cwd, env }: RunOptions) => ({
  PATH: process.env['PATH'],
  HOME: cwd,
  NODE_NO_WARNINGS: '1',
  AWS_EC2_METADATA_DISABLED: 'true',
  ...env,
});

const makeEnded = (exitCode: number | null, stdout: string, stderr: string): Ended => ({
  exitCode,
  stdout,
  stderr,
  json: () => JSON.parse(stdout),
});

/** The last run in this process; one at a time, as each has the process to itself. */
let lastRun: Promise<unknown> = Promise.resolve();

/**
 * Runs the tool in this process, with the working folder, environment, streams and exit code of a process of
 * its own.
 * @param args command and options, as they follow `image-redirect`
 */
export function runTool(args: readonly string[], options: RunOptions): Promise<Ended> {
  return runInTurn(async () => runCommandLine(await createTool(args), args), options);
}

/** The same for the program of page authors, `image-redirect-pages`. */
export function runPages(args: readonly string[], options: RunOptions): Promise<Ended> {
  return runInTurn(async () => {
    process.exitCode = await pages(args);
  }, options);
}

function runInTurn(run: () => Promise<void>, options: RunOptions): Promise<Ended> {
  const ended = lastRun.then(() => runInProcess(run, options));
  lastRun = ended.catch(() => undefined);
  return ended;
}

async function runInProcess(run: () => Promise<void>, options: RunOptions): Promise<Ended> {
  const stdout = createCollector();
  const stderr = createCollector();
  const outputs = {
    stdin: Object.assign(Readable.from([options.typed ?? '']), { isTTY: options.typed !== undefined }),
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: makeEnvironment(options),
    exitCode: 0,
  };
  const originals = Object.keys(outputs).map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name) as PropertyDescriptor] as const,
  );
  const cwd = process.cwd();
  process.chdir(options.cwd);
  for (const [name, value] of Object.entries(outputs))
    Object.defineProperty(process, name, { value, writable: true, configurable: true });
  try {
    await run();
    return makeEnded(Number(process.exitCode), stdout.text(), stderr.text());
  } finally {
    for (const [name, descriptor] of originals) Object.defineProperty(process, name, descriptor);
    process.chdir(cwd);
  }
}

/** A stream that keeps what is written to it, as a pipe whose other end is read later. */
function createCollector() {
  let written = '';
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _, done) => {
      written += chunk;
      done();
    },
  });
  return { stream, text: () => written };
}

/** Expects a refusal: its exit code, and one line on stderr, with some words. */
export function expectRefusal({ exitCode, stdout, stderr }: Ended, code: number, words: string): void {
  expect([exitCode, stdout]).toEqual([code, '']);
  expect(stderr).toContain(words);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
}

/** The arguments by which Node.js runs the tool. */
export const program = [
  '--no-warnings',
  '--import',
  require.resolve('tsx'),
  join(__dirname, '../../bin/image-redirect.ts'),
];

/** Runs the tool as a child process, as a shell would. */
export async function spawnTool(args: readonly string[], options: RunOptions): Promise<Ended> {
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: options.cwd,
    env: makeEnvironment(options),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exitCode = new Promise<number | null>((ended, failed) => {
    child.on('error', failed);
    child.on('close', ended);
  });
  const written = [text(child.stdout), text(child.stderr)] as const;
  return makeEnded(await exitCode, await written[0], await written[1]);
}
