/** Keeps all instances together within what a provider's documentation allows: one conditional write for each call to it. */

import type { Clock } from '../../ports/clock';
import type { CounterWindow, LookupCache } from '../../ports/lookup-cache';
import type { StockProvider } from '../../ports/stock-provider';
import type { Telemetry } from '../../ports/telemetry';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** How long a used-up budget is believed without another write, in milliseconds. */
const spentRememberedMs = 5_000;

export interface Budget {
  /** Takes one call from every window of the provider; false when one of them is used up. */
  take(provider: Pick<StockProvider, 'name' | 'capability'>): Promise<boolean>;
}

export interface BudgetDeps {
  readonly lookups: Pick<LookupCache, 'take'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
}

export function createBudget({ lookups, clock, telemetry }: BudgetDeps): Budget {
  const spentUntilMs = new Map<string, number>();
  return {
    async take(provider) {
      const nowMs = clock.nowMs();
      if ((spentUntilMs.get(provider.name) ?? 0) > nowMs) return false;
      const counter = counterOf(provider, nowMs);
      if (!counter) return true;
      try {
        const taken = await lookups.take(counter.key, counter.windows, counter.endsMs);
        if (!taken) spentUntilMs.set(provider.name, nowMs + spentRememberedMs);
        return taken;
      } catch (error) {
        // The request that holds the lease may ask: one call too many is milder than no image.
        telemetry.error('A call to a stock provider was not counted', error, { provider: provider.name });
        return true;
      }
    },
  };
}

/**
 * The counter that a call at a moment belongs to: one item for the longest window, with an attribute for each window
 * inside it, so that one write counts in all. Windows are those of the UTC clock.
 */
export function counterOf(
  { name, capability: { quota } }: Pick<StockProvider, 'name' | 'capability'>,
  nowMs: number,
): { readonly key: string; readonly windows: readonly CounterWindow[]; readonly endsMs: number } | undefined {
  const limited = [
    { letter: 'd', lengthMs: dayMs, limit: quota.perDay },
    { letter: 'h', lengthMs: hourMs, limit: quota.perHour },
    { letter: 'm', lengthMs: minuteMs, limit: quota.perMinute },
  ].flatMap(({ limit, ...window }) => (limit === undefined ? [] : [{ ...window, limit }]));
  const longest = limited[0];
  if (!longest) return undefined;
  const beginsMs = nowMs - (nowMs % longest.lengthMs);
  return {
    key: `B#${name}#${longest.letter}#${beginsMs / 1_000}`,
    windows: limited.map(({ letter, lengthMs, limit }) => ({
      name: `${letter}${Math.floor((nowMs - beginsMs) / lengthMs)}`,
      limit,
    })),
    endsMs: beginsMs + longest.lengthMs,
  };
}
