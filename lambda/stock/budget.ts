/** Keeps all instances together within what a provider's documentation allows: one conditional write for each request to it. */

import type { Clock } from '../base/clock';
import type { Cache, CounterWindow } from '../base/item-store';
import type { Telemetry } from '../base/telemetry';
import { dayWindow, hourWindow, minuteWindow, type Window } from '../base/window';
import type { RateLimitStatus } from '../problems/problem';
import { shareOf } from '../quota/fair-use';
import { openPartOf } from '../quota/quota';
import type { StockProvider } from './stock-provider';

/** One in how many requests of a budget is kept for upkeep. */
const upkeepShare = 10;
/** How long a used-up budget is believed without another write, in milliseconds. */
const spentRememberedMs = 5_000;
const spentRememberedMax = 5_000;

/**
 * Which share of a budget a request comes from: a tenth is for `upkeep`, the reports of uses and the checks of images that
 * pages show; of what is left for searches, half is kept for callers with keys.
 */
export type BudgetShare = 'keyed' | 'anonymous' | 'upkeep';

/** A window of a provider that has no request left. */
export interface SpentBudget {
  /** `account`: for this account, as the rest is kept for others; `anonymous`: for callers without keys; `all`: for everyone. */
  readonly of: 'account' | 'anonymous' | 'all';
  readonly status: RateLimitStatus;
}

/** The requests that are left at all providers. */
export interface Budget {
  /**
   * Takes one request from every window of the provider.
   * @param owner whose request with a key it is: an account may not take all that is there for accounts
   * @returns the window that is used up, if one is; nothing when the request was taken
   */
  take(provider: Budgeted, share: BudgetShare, owner?: string): Promise<SpentBudget | undefined>;
}

type Budgeted = Pick<StockProvider, 'name' | 'capability' | 'currentQuota'>;

/** Where requests are counted. */
export interface BudgetDeps {
  readonly cache: Pick<Cache, 'take' | 'counts'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
}

/** A used-up budget is believed for five seconds without another write. */
export function createBudget({ cache, clock, telemetry }: BudgetDeps): Budget {
  const spent = new Map<string, { readonly untilMs: number; readonly budget: SpentBudget }>();

  /** The window that is used up for the longest time; the longest one where none is any more. */
  const spentWindow = async (counter: Counter, open: Counter): Promise<SpentBudget> => {
    const counts = await cache.counts(counter.key).catch((): Readonly<Record<string, number>> => ({}));
    const spentIn = ({ windows }: Counter) =>
      windows.findIndex(({ name, limit }) => (counts[name] ?? 0) >= limit);
    const whole = spentIn(counter);
    const at = Math.max(0, whole < 0 ? spentIn(open) : whole);
    const { limit } = counter.windows[at] as CounterWindow;
    const status = { limit, remaining: 0, window: counter.ofEach[at] as Window };
    if (whole < 0 && open !== counter) return { of: 'account', status };
    return { of: counter.windows[at]?.name.startsWith('a') ? 'anonymous' : 'all', status };
  };

  const takeFrom = ({ key, windows, endsMs }: Counter) => cache.take(key, windows, endsMs);

  return {
    async take(provider, share, owner) {
      const nowMs = clock.nowMs();
      const isShared = share === 'keyed' && owner !== undefined;
      const name = `${provider.name}#${share}#${isShared ? owner : ''}`;
      const cached = spent.get(name);
      if (cached && cached.untilMs > nowMs) return cached.budget;
      const counter = await counterOf(provider, nowMs, share);
      if (!counter) return undefined;
      let open = counter;
      try {
        if (isShared && !(await takeFrom(shareIn(counter, owner)))) open = openPartIn(counter, nowMs);
        if (await takeFrom(open)) return undefined;
      } catch (error) {
        // One request too many does less harm than no image.
        telemetry.error('A request to a stock provider was not counted', error, { provider: provider.name });
        return undefined;
      }
      const budget = await spentWindow(counter, open);
      if (spent.size >= spentRememberedMax) spent.clear();
      spent.set(name, { untilMs: Math.min(nowMs + spentRememberedMs, budget.status.window.endMs), budget });
      return budget;
    },
  };
}

/** What an account is sure of; counted apart, so that the item which every request writes does not grow with the accounts. */
function shareIn(counter: Counter, owner: string): Counter {
  const windows = counter.windows.map((window) => ({ ...window, limit: shareOf(window.limit) }));
  return { ...counter, key: `${counter.key}#${owner}`, windows };
}

function openPartIn(counter: Counter, nowMs: number): Counter {
  const windows = counter.windows.map((window, index) => ({
    ...window,
    limit: openPartOf(window.limit, counter.ofEach[index] as Window, nowMs),
  }));
  return { ...counter, windows };
}

/** The item in which requests to a provider are counted. */
export interface Counter {
  readonly key: string;
  /** The longest window first; those of anonymous callers after those of all. */
  readonly windows: readonly CounterWindow[];
  /** The window of the clock that each of them counts in. */
  readonly ofEach: readonly Window[];
  readonly endsMs: number;
}

/**
 * The counter that a request at a moment belongs to: one item for the longest window, with an attribute for each window
 * inside it, so that one write counts in all. Windows are those of the UTC clock. Anonymous requests are counted in
 * windows of their own too, half as large; upkeep in its own alone, unless a budget is too small to be shared.
 */
export async function counterOf(
  { name, capability, currentQuota }: Budgeted,
  nowMs: number,
  share: BudgetShare = 'keyed',
): Promise<Counter | undefined> {
  const quota = (await currentQuota?.()) ?? capability.quota;
  const limited = [
    { letter: 'd', window: dayWindow(nowMs), limit: quota.perDay },
    { letter: 'h', window: hourWindow(nowMs), limit: quota.perHour },
    { letter: 'm', window: minuteWindow(nowMs), limit: quota.perMinute },
  ].flatMap(({ limit, ...window }) => (limit === undefined ? [] : [{ ...window, limit }]));
  const longest = limited[0];
  if (!longest) return undefined;
  const { startMs: beginsMs, endMs: endsMs } = longest.window;
  const ofAll = limited.map(({ letter, window, limit }) => {
    const index = Math.floor((nowMs - beginsMs) / (window.endMs - window.startMs));
    const upkeep = Math.floor(limit / upkeepShare);
    return share === 'upkeep' && upkeep > 0
      ? { name: `u${letter}${index}`, limit: upkeep }
      : { name: `${letter}${index}`, limit: limit - upkeep };
  });
  const ofAnonymous = ofAll.map(({ name, limit }) => ({
    name: `a${name}`,
    limit: Math.max(1, Math.floor(limit / 2)),
  }));
  const ofEach = limited.map(({ window }) => window);
  return {
    key: `B#${name}#${longest.letter}#${beginsMs / 1_000}`,
    windows: share === 'anonymous' ? [...ofAll, ...ofAnonymous] : ofAll,
    ofEach: share === 'anonymous' ? [...ofEach, ...ofEach] : ofEach,
    endsMs,
  };
}
