/** Divides the quota of a provider: who may send how many of its requests. */

import { dayWindow, hourWindow, minuteWindow } from '../base/window';
import type { AccountId } from '../credentials/caller';
import type { Limit } from '../quota/limit';
import { type LimitServices, takeUnits } from '../quota/take';
import type { StockProvider } from './stock-provider';

/** Whose part of a budget a request is taken from; `upkeep` reports uses, and renews images of pages. */
export type BudgetShare = AccountId | 'anonymous' | 'upkeep';

const upkeepShare = 10;
/** Time after which a caller may try again while the table of budgets throttles, in milliseconds. */
const throttledRetryMs = 1_000;

/**
 * Computes the limits of a request to a provider, in each window of its quota. A tenth is kept for upkeep.
 * Of the rest, callers without keys take half at most, and an account takes a quarter of the longest window.
 * @param share `all`: only the limits that the searches of all callers share
 */
export async function readBudgetLimits(
  { name, readQuota }: Pick<StockProvider, 'name' | 'readQuota'>,
  share: BudgetShare | 'all',
  nowMs: number,
): Promise<readonly Limit[]> {
  const { perDay, perHour, perMinute } = await readQuota();
  const windows = [
    { window: dayWindow(nowMs), max: perDay },
    { window: hourWindow(nowMs), max: perHour },
    { window: minuteWindow(nowMs), max: perMinute },
  ].flatMap(({ window, max }) => (max === undefined ? [] : [{ window, max }]));
  const limits = (owner: string, counted: typeof windows, maxOf: (max: number, upkeep: number) => number) =>
    counted.map(({ window, max }): Limit => {
      const allowed = Math.max(1, Math.floor(maxOf(max, Math.floor(max / upkeepShare))));
      return { kind: 'provider', owner, max: allowed, window };
    });
  // A budget below ten requests has no part for upkeep: the other callers share all of it.
  if (share === 'upkeep') return limits(`${name}#upkeep`, windows, (_, upkeep) => upkeep);
  const sharedLimits = limits(name, windows, (max, upkeep) => max - upkeep);
  if (share === 'all') return sharedLimits;
  const ownLimits =
    share === 'anonymous'
      ? limits(`${name}#anonymous`, windows, (max, upkeep) => (max - upkeep) / 2)
      : limits(`${name}#account#${share}`, windows.slice(0, 1), (max, upkeep) => (max - upkeep) / 4);
  return [...ownLimits, ...sharedLimits];
}

/**
 * Takes one request from a provider's budget.
 * @returns `undefined`, or when the window that is used up ends (epoch, milliseconds)
 * @throws when the table rejects the call itself (validation, permissions)
 */
export async function takeFromBudget(
  services: LimitServices,
  provider: StockProvider,
  share: BudgetShare | 'all',
  id: string,
): Promise<number | undefined> {
  const nowMs = services.clock.nowMs();
  const takeResult = await takeUnits(services, await readBudgetLimits(provider, share, nowMs), id);
  // After a lost answer the request is sent: one too many does less harm than no image.
  if (takeResult.outcome !== 'refused') return undefined;
  return takeResult.limit?.window.endsMs ?? nowMs + throttledRetryMs;
}
