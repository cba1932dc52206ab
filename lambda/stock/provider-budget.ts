/** Divides the quota of a provider: who may send how many of its requests. */

import { dayWindow, hourWindow, minuteWindow, type Window } from '../base/window';
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
 * Computes the limits of a request to a provider, in each window of its quota:
 * - `upkeep`: a tenth of the quota, which no search takes
 * - `all`: the rest, for the searches of all callers together; each other share is bounded by it, too
 * - `anonymous`: half of the rest, for all callers without a key
 * - an account: a quarter of the rest, in the longest window alone
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
  ].flatMap(({ window, max }) => {
    const upkeep = Math.floor((max ?? 0) / upkeepShare);
    return max === undefined ? [] : [{ window, upkeep, rest: max - upkeep }];
  });
  const makeLimit = (owner: string, window: Window, units: number): Limit => {
    return { kind: 'provider', owner, max: Math.max(1, Math.floor(units)), window };
  };
  if (share === 'upkeep')
    // A budget below ten requests has no part for upkeep: the other callers share all of it.
    return windows.map(({ window, upkeep }) => makeLimit(`${name}#upkeep`, window, upkeep));
  const shared = windows.map(({ window, rest }) => makeLimit(name, window, rest));
  if (share === 'all') return shared;
  const own =
    share === 'anonymous'
      ? windows.map(({ window, rest }) => makeLimit(`${name}#anonymous`, window, rest / 2))
      : windows
          .slice(0, 1)
          .map(({ window, rest }) => makeLimit(`${name}#account#${share}`, window, rest / 4));
  return [...own, ...shared];
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
