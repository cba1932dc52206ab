/**
 * Starts the local service as a user's script would: a process of its own, one line of JSON when it is ready.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { PlanName } from '../../lambda/contract/plans';

export interface RunningService {
  readonly url: string;
  readonly keys: Readonly<Record<PlanName, { readonly live: string; readonly test: string }>>;
  readonly accounts: Readonly<Record<PlanName, string>>;
  readonly fakeProviders: Readonly<Record<string, string>>;
  readonly process: ChildProcess;
  /** Everything it has written to stderr so far. */
  stderr(): string;
  /** Ends it with a signal and gives its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

const root = join(__dirname, '../..');

/** The default generator of services in tests: draws small images, which is quick, and refuses one word. */
export const sharedGenerator = { kind: 'sandbox', refuse: ['forbidden'], longSidePx: 270 } as const;

/** Factor of the waits of a service: on a busy machine a table is slow, and has not failed. */
export const patience = '8';

/** Requests of one account that a service begins at once: more than a test sends, so that they compete. */
const atOnce = '1000';

/**
 * Runs `image-redirect start` with options; throws what it said when it ended instead of getting ready.
 * @param endsWithParent keeps this process from waiting for the service, which ends when this process has
 * ended
 */
export async function startService(
  options: readonly string[] = ['--memory'],
  environment: Readonly<Record<string, string>> = {},
  { endsWithParent = false }: { readonly endsWithParent?: boolean } = {},
): Promise<RunningService> {
  const child = await runLocal(['--port', '0', '--json', ...options], environment);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const [first] = await Promise.race([
    once(lines, 'line') as Promise<[string]>,
    once(child, 'exit').then(([code]) => {
      throw new Error(`The service ended with ${code}: ${stderr}`);
    }),
  ]);
  if (endsWithParent) leaveBehind(child);
  return {
    fakeProviders: {},
    ...(JSON.parse(first) as Pick<RunningService, 'url' | 'keys' | 'accounts'>),
    process: child,
    stderr: () => stderr,
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, 'exit');
      child.kill(signal);
      const [code] = await ended;
      return code as number | null;
    },
  };
}

/** The process before it is ready. As a script of npm it ends within a second of its parent. */
async function runLocal(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  return spawn(
    process.execPath,
    ['--no-warnings', '--import', 'tsx', 'bin/image-redirect.ts', 'start', ...args],
    {
      cwd: root,
      env: {
        ...process.env,
        npm_lifecycle_event: 'test',
        PATIENCE: patience,
        AT_ONCE: atOnce,
        GENERATOR: JSON.stringify(sharedGenerator),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
}

/** Lets this process end before a child. */
function leaveBehind(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdout, child.stderr]) (stream as Socket | null)?.unref();
}
