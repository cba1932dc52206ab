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
  const args = ['--import', 'tsx', 'bin/image-redirect.ts', 'start', '--port', '0', '--json', ...options];
  const child = spawn(process.execPath, ['--no-warnings', ...args], {
    cwd: join(__dirname, '../..'),
    env: {
      ...process.env,
      // As a script of npm it ends within a second of its parent.
      npm_lifecycle_event: 'test',
      PATIENCE: patience,
      AT_ONCE: atOnce,
      GENERATOR: JSON.stringify(sharedGenerator),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const lines = createInterface({ input: child.stdout });
  const [first] = await Promise.race([
    once(lines, 'line') as Promise<[string]>,
    once(child, 'exit').then(([code]) => {
      throw new Error(`The service ended with ${code}: ${stderr}`);
    }),
  ]);
  if (endsWithParent)
    for (const part of [child, child.stdout as Socket, child.stderr as Socket]) part.unref();
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
