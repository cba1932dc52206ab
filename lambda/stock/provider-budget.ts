/** Divides the quota of a provider among its callers. */

import { computeDayWindow, computeHourWindow, computeMinuteWindow } from '../base/window';
import type { AccountId } from '../credentials/caller';
import type { Limit } from '../quota/limit';
import { type LimitServices, takeUnits } from '../quota/take';
import type { StockProvider } from './stock-provider';

/** The share of a budget that pays a request. `upkeep` is for reports of uses and for images on pages. */
export type BudgetShare = AccountId | 'anonymous' | 'upkeep';

/** One in ten requests of a quota is for upkeep, and at least one. */
const upkeepDivisor = 10;
/** The windows of a quota, the longest first. */
const quotaWindows = [
  ['perDay', computeDayWindow],
  ['perHour', computeHourWindow],
  ['perMinute', computeMinuteWindow],
] as const;
/** Time after which a caller may try again while the table of budgets throttles, in milliseconds. */
const throttledRetryMs = 1_000;

/**
 * Reads the quota of a provider and returns the limits that a request takes a unit of, in each of its windows:
 * - `upkeep`: a tenth of the quota. No search takes it.
 * - `all`: the rest, for the searches of all callers together.
 * - `anonymous`: half of the rest, and also `all`.
 * - an account: a quarter of the rest in the longest window, and also `all`.
 */
export async function readBudgetLimits(
  { name, readQuota }: Pick<StockProvider, 'name' | 'readQuota'>,
  share: BudgetShare | 'all',
  nowMs: number,
): Promise<readonly Limit[]> {
  const quota = await readQuota();
  const makeLimits = (owner: string, divide: (rest: number, upkeep: number) => number): readonly Limit[] =>
    quotaWindows.flatMap(([per, computeWindow]) => {
      const quotaMax = quota[per];
      if (quotaMax === undefined) return [];
      const upkeep = Math.max(1, Math.floor(quotaMax / upkeepDivisor));
      const max = Math.max(1, Math.floor(divide(quotaMax - upkeep, upkeep)));
      return [{ kind: 'provider', owner, max, window: computeWindow(nowMs) }];
    });
  if (share === 'upkeep') return makeLimits(`${name}#upkeep`, (_, upkeep) => upkeep);
  const sharedLimits = makeLimits(name, (rest) => rest);
  if (share === 'all') return sharedLimits;
  if (share === 'anonymous') return [...makeLimits(`${name}#anonymous`, (rest) => rest / 2), ...sharedLimits];
  const ownLimits = makeLimits(`${name}#account#${share}`, (rest) => rest / 4);
  return [...ownLimits.slice(0, 1), ...sharedLimits];
}

/**
 * Takes one request from the budget of a provider.
 * @returns `undefined` if the request may be sent, or the moment (epoch, milliseconds) to try again
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
  // If the outcome is unknown, the request is sent. One request too many does less harm than no image.
  if (takeResult.outcome !== 'refused') return undefined;
  return takeResult.limit?.window.endsMs ?? nowMs + throttledRetryMs;
}
