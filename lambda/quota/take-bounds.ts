/** Takes one unit from each window that bounds a credential, or from none, and gives them back. */

import type { Telemetry } from '../base/telemetry';
import type { LimitRefusal } from '../problems/problem';
import { type Allowance, rateLimitStatusOf } from './quota';
import type { QuotaCounters } from './quota-counters';

export interface TakeBoundsDeps {
  readonly counters: Pick<QuotaCounters, 'consume' | 'refund'>;
  readonly telemetry: Telemetry;
}

export type TakenBounds =
  | { readonly outcome: 'taken' }
  | { readonly outcome: 'exhausted'; readonly bound: Allowance }
  /** A counter takes no more writes now: nothing was taken. */
  | { readonly outcome: 'throttled' }
  /** An answer was lost: nothing may be charged that a bound has not counted. */
  | { readonly outcome: 'unknown' };

/** @throws when a counter cannot be reached; what was taken has been given back by then. */
export async function takeBounds(
  deps: TakeBoundsDeps,
  bounds: readonly Allowance[],
  requestId: string,
): Promise<TakenBounds> {
  const taken: Allowance[] = [];
  try {
    for (const bound of bounds) {
      // A window of no units has no counter that could refuse its first one.
      const { outcome } =
        bound.limit < 1 ? ({ outcome: 'exhausted' } as const) : await deps.counters.consume(bound, requestId);
      if (outcome !== 'charged') {
        await giveBackBounds(deps, taken, requestId);
        return outcome === 'exhausted' ? { outcome, bound } : { outcome };
      }
      taken.push(bound);
    }
  } catch (error) {
    await giveBackBounds(deps, taken, requestId);
    throw error;
  }
  return { outcome: 'taken' };
}

/** Gives back one unit of each window. Never throws: what stays counted only tightens the bound. */
export async function giveBackBounds(
  { counters, telemetry }: TakeBoundsDeps,
  bounds: readonly Allowance[],
  requestId: string,
): Promise<void> {
  for (const bound of bounds) {
    try {
      await counters.refund(bound, requestId);
    } catch (error) {
      telemetry.count('refundFailed');
      telemetry.error('A unit of a credential was not given back', error);
    }
  }
}

/** The refusal of a window that is used up: which one, and until when. */
export function refusalOf(allowance: Allowance): LimitRefusal {
  const { counter, window } = allowance;
  const rateLimit = rateLimitStatusOf(allowance, allowance.limit);
  const code = window.kind === 'month' ? 'quota_exceeded' : 'rate_limited';
  return { code, rateLimit, ...(counter.kind === 'fair-use' ? { use: counter.use } : {}) };
}
