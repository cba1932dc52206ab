/** The concurrent executions of one AWS account, as Lambda gives them to functions, on a virtual clock. */

import type { Clock } from '../../../lambda/base/clock';

/** Functions of the service that take part. */
export type Role = 'authorizer' | 'redirect' | 'generator' | 'renderer';

/** Time that a function takes to start where no idle instance of it is left, in milliseconds. */
const coldStartMs: Readonly<Record<Role, number>> = {
  authorizer: 350,
  redirect: 500,
  generator: 1_300,
  renderer: 1_200,
};

/** Lambda tries to start what was handed to it again after a second, then after twice as long each time. */
const firstRetryMs = 1_000;
const longestRetryMs = 300_000;

export interface Pool {
  /** Runs a function and waits for it. @throws `TooManyRequestsException` when no execution is free */
  invoke<T>(role: Role, work: () => Promise<T>): Promise<T>;
  /** Hands work over that is run as soon as Lambda finds an execution free. */
  invokeLater(role: Role, work: () => Promise<void>): void;
  /** How long no execution was free, longest time without a break and altogether, in milliseconds. */
  full(): { readonly longestMs: number; readonly totalMs: number };
}

export function createPool(clock: Clock, executionsMax: number, onFailure: (error: unknown) => void): Pool {
  let busy = 0;
  let fullSinceMs: number | undefined;
  let longestMs = 0;
  let totalMs = 0;
  const idle = new Map<Role, number>();

  const noteFull = (): void => {
    if (busy === executionsMax) fullSinceMs ??= clock.nowMs();
    else if (fullSinceMs !== undefined) {
      const lastedMs = clock.nowMs() - fullSinceMs;
      longestMs = Math.max(longestMs, lastedMs);
      totalMs += lastedMs;
      fullSinceMs = undefined;
    }
  };

  const invoke: Pool['invoke'] = async (role, work) => {
    if (busy === executionsMax)
      throw Object.assign(new Error('Rate Exceeded.'), { name: 'TooManyRequestsException' });
    busy += 1;
    noteFull();
    const warm = idle.get(role) ?? 0;
    try {
      if (warm > 0) idle.set(role, warm - 1);
      else await clock.sleep(coldStartMs[role]);
      return await work();
    } finally {
      idle.set(role, (idle.get(role) ?? 0) + 1);
      busy -= 1;
      noteFull();
    }
  };

  const attemptLater = async (role: Role, work: () => Promise<void>): Promise<void> => {
    for (let pauseMs = firstRetryMs; ; pauseMs = Math.min(longestRetryMs, pauseMs * 2)) {
      try {
        return await invoke(role, work);
      } catch (error) {
        if ((error as Error).name !== 'TooManyRequestsException') throw error;
        await clock.sleep(pauseMs);
      }
    }
  };

  return {
    invoke,
    invokeLater: (role, work) => void attemptLater(role, work).catch(onFailure),
    full: () => ({ longestMs, totalMs }),
  };
}
