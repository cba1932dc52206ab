/** Divides the quota of a provider among its callers. */

import { dayWindow, hourWindow, minuteWindow, type Window } from '../base/window';
import type { AccountId } from '../credentials/caller';
import type { Limit } from '../quota/limit';
import { type LimitServices, takeUnits } from '../quota/take';
import type { StockProvider } from './stock-provider';

/** The share of a budget that pays a request. `upkeep` is for reports of uses and for images on pages. */
export type BudgetShare = AccountId | 'anonymous' | 'upkeep';

/** One in ten requests of a quota is for upkeep. */
const upkeepDivisor = 10;
/** Time after which a caller may try again while the table of budgets throttles, in milliseconds. */
const throttledRetryMs = 1_000;

/**
 * Computes the limits that a request to a provider takes a unit of, in each window of the quota:
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
  const { perDay, perHour, perMinute } = await readQuota();
  const parts = [
    { window: dayWindow(nowMs), max: perDay },
    { window: hourWindow(nowMs), max: perHour },
    { window: minuteWindow(nowMs), max: perMinute },
  ].flatMap(({ window, max }) => {
    if (max === undefined) return [];
    const upkeep = Math.floor(max / upkeepDivisor);
    return [{ window, upkeep, rest: max - upkeep }];
  });
  const makeLimit = (owner: string, window: Window, units: number): Limit => {
    return { kind: 'provider', owner, max: Math.max(1, Math.floor(units)), window };
  };
  if (share === 'upkeep')
    // A tenth of fewer than ten requests is none. Upkeep then takes from the requests of all callers.
    return parts.map(({ window, upkeep, rest }) =>
      upkeep > 0 ? makeLimit(`${name}#upkeep`, window, upkeep) : makeLimit(name, window, rest),
    );
  const sharedLimits = parts.map(({ window, rest }) => makeLimit(name, window, rest));
  if (share === 'all') return sharedLimits;
  const ownLimits =
    share === 'anonymous'
      ? parts.map(({ window, rest }) => makeLimit(`${name}#anonymous`, window, rest / 2))
      : parts.slice(0, 1).map(({ window, rest }) => makeLimit(`${name}#account#${share}`, window, rest / 4));
  return [...ownLimits, ...sharedLimits];
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
