/** Keeps generations below the operator's ceilings: exact counters, taken before an image is made. */

import type { Clock } from '../base/clock';
import { createExpiringCache } from '../base/expiring-cache';
import type { Telemetry } from '../base/telemetry';
import { type Refusal, throttleRefusal } from '../problems/problem';
import { counterKey, type Limit } from '../quota/quota';
import type { CounterCharge, QuotaCounters } from '../quota/quota-counters';
import type { AnnounceUsage } from '../quota/usage/at-thresholds';

export interface SpendGuard {
  /**
   * Takes one generation from each ceiling, or from none.
   * @returns the refusal when one is reached, or when it is not known whether it counted this one; nothing when the
   * image may be made. Never throws.
   */
  admit(ceilings: readonly Limit[], execution: string): Promise<Refusal | undefined>;
}

interface SpendGuardDeps {
  readonly counters: Pick<QuotaCounters, 'charge' | 'refund'>;
  /** Called with every generation that is counted; announces those that reach a threshold. */
  readonly announceUsage: AnnounceUsage;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Telemetry;
}

/** Longest time a ceiling that is reached is believed without asking its counter, in milliseconds. */
const rememberedMs = 30_000;
const rememberedMax = 1_000;

export function createSpendGuard({ counters, announceUsage, clock, telemetry }: SpendGuardDeps): SpendGuard {
  const reached = createExpiringCache<true>(rememberedMax);
  const nameOf = (ceiling: Limit) => `${counterKey(ceiling)}#${ceiling.limit}`;

  const count = async (ceiling: Limit, execution: string): Promise<CounterCharge> => {
    try {
      return await counters.charge(ceiling, execution);
    } catch (error) {
      telemetry.error('A generation was not counted', error);
      return { outcome: 'unknown' };
    }
  };

  return {
    async admit(ceilings, execution) {
      const known = ceilings.find((ceiling) => reached.get(nameOf(ceiling), clock.nowMs()));
      if (known) return pausedBy(known);
      const taken: Limit[] = [];
      for (const ceiling of ceilings) {
        const charged = await count(ceiling, execution);
        if (charged.outcome === 'unknown' || charged.outcome === 'throttled') {
          // What may not be counted is not made: a ceiling that errs lets no more through.
          await giveBackGenerations({ counters, telemetry }, taken, execution);
          return charged.outcome === 'throttled' ? throttleRefusal : { code: 'upstream_unavailable' };
        }
        if (charged.outcome === 'exhausted') {
          const endsMs = Math.min(clock.nowMs() + rememberedMs, ceiling.window.endMs);
          reached.set(nameOf(ceiling), true, endsMs);
          await giveBackGenerations({ counters, telemetry }, taken, execution);
          return pausedBy(ceiling);
        }
        taken.push(ceiling);
        await announceUsage(ceiling, charged.taken);
      }
      return undefined;
    },
  };
}

/** Gives back what an execution took for which no model has drawn or refused anything. Never throws: what stays counted only tightens the ceilings. */
export async function giveBackGenerations(
  {
    counters,
    telemetry,
  }: Pick<SpendGuardDeps, 'telemetry'> & { readonly counters: Pick<QuotaCounters, 'refund'> },
  ceilings: readonly Limit[],
  execution: string,
): Promise<void> {
  for (const ceiling of ceilings) {
    try {
      await counters.refund(ceiling, execution);
    } catch (error) {
      telemetry.info('A generation stays counted', {
        reason: error instanceof Error ? error.name : 'unknown',
      });
    }
  }
}

function pausedBy({ window }: Limit): Refusal {
  return { code: 'generation_paused', endsMs: window.endMs };
}
