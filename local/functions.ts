/** Loads the functions from the very files that run in Lambda, and runs the sweeper as its schedules do in AWS. */

import { lazily } from '../lambda/base/lazily';
import { orphanSearchIntervalMs, sweepIntervalMs } from '../lambda/contract/timeouts';
import type { SweepEvent } from '../lambda/generation/sweep-event';
import type { GatewayFunctions } from './gateway/gateway';
import type { Grace } from './http';

interface LocalFunctions extends GatewayFunctions {
  /** Settles what earlier runs have left behind; in AWS a schedule calls it. */
  readonly sweep: (event: SweepEvent) => Promise<unknown>;
}

/** Loads them with the environment as it is now. */
export async function loadFunctions(): Promise<LocalFunctions> {
  // Drawn for the first client that shows no SVG.
  Object.defineProperty(globalThis, 'ERROR_CARDS', { configurable: true, get: drawCards });
  const [authorizer, redirect, usage, sweeper] = await Promise.all([
    import('../lambda/functions/authorizer/main'),
    import('../lambda/functions/redirect/main'),
    import('../lambda/functions/usage/main'),
    import('../lambda/functions/sweeper/main'),
  ]);
  return {
    authorizer: authorizer.handler,
    handlers: {
      redirect: redirect.handler,
      usage: usage.handler,
      docs: async (event) => (await loadDocs())(event),
    },
    sweep: sweeper.handler,
  };
}

const drawCards = lazily(async () =>
  JSON.stringify(await (await import('../lib/error-cards')).drawErrorCards()),
);

/** On first need, since the scripts and styles of its page are bundled for it. */
const loadDocs = lazily(async () => {
  const { bundlePageAssets } = await import('../lib/functions/page-assets');
  globalThis.PAGE_ASSETS = bundlePageAssets();
  return (await import('../lambda/functions/docs/main')).handler;
});

type Sweep = (event: SweepEvent) => Promise<unknown>;

/**
 * At the start no generation can be running, so every pending operation was left by a crash.
 * @returns stops the schedule and lets the sweeps that run come to their end, before their tables are closed
 */
export async function startSweeping(
  sweep: Sweep,
  onFault: (error: unknown) => void,
): Promise<(grace: Grace) => Promise<void>> {
  const running = new Set<Promise<void>>();
  let isOver = false;
  const begin = (event: SweepEvent) => {
    const sweeping: Promise<void> = sweep(event)
      .then(
        () => undefined,
        (error: unknown) => {
          if (!isOver) onFault(error);
        },
      )
      .finally(() => running.delete(sweeping));
    running.add(sweeping);
  };
  await sweep({ everything: true });
  // Nothing depends on it, so the start does not wait for it.
  begin({ orphans: true, everything: true });
  const timers = [
    setInterval(() => begin({}), sweepIntervalMs),
    setInterval(() => begin({ orphans: true }), orphanSearchIntervalMs),
  ];
  return async (grace) => {
    for (const timer of timers) clearInterval(timer);
    await Promise.race([Promise.all(running), grace]);
    isOver = true;
  };
}
