/** The operator's ceilings on generations hold exactly, whatever happens between their counters. */

import { unlimitedRequests } from '../../lambda/contract/plans';
import { createSpendGuard } from '../../lambda/generation/spend-guard';
import { dailyGenerations, monthlyGenerationsOf } from '../../lambda/quota/fair-use';
import { createFakeQuotaCounters } from '../fakes/quota-counters';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { createVirtualClock } from '../fakes/virtual-clock';

function createBench() {
  const clock = createVirtualClock(Date.UTC(2026, 10, 21, 23, 59, 50));
  const counters = createFakeQuotaCounters();
  const telemetry = createRecordedTelemetry();
  const announced: string[] = [];
  const guard = createSpendGuard({
    counters,
    announceUsage: async ({ window, limit }, used) => void announced.push(`${window.kind} ${used}/${limit}`),
    clock,
    telemetry,
  });
  const ceilings = (month: number, day: number) => [
    monthlyGenerationsOf('live#a', month, clock.nowMs()),
    dailyGenerations(day, clock.nowMs()),
  ];
  return { clock, counters, announced, guard, ceilings, telemetry };
}

describe('the ceilings on generations', () => {
  it('admit exactly as many as the lowest of them, and name the moment at which it ends', async () => {
    const { clock, guard, ceilings, announced } = createBench();
    const admit = () => guard.admit(ceilings(5, 2), 'EX');
    expect([await admit(), await admit()]).toEqual([undefined, undefined]);
    expect(await admit()).toEqual({ code: 'generation_paused', endsMs: Date.UTC(2026, 10, 22) });
    expect(announced).toEqual(['month 1/5', 'day 1/2', 'month 2/5', 'day 2/2', 'month 3/5']);
    await clock.advance(10_000);
    expect(await admit()).toBeUndefined();
  });

  it('count in none of them what one of them refuses', async () => {
    const { counters, guard, ceilings } = createBench();
    const [month, day] = ceilings(5, 1) as [
      ReturnType<typeof dailyGenerations>,
      ReturnType<typeof dailyGenerations>,
    ];
    await guard.admit([month, day], 'EX1');
    await guard.admit([month, day], 'EX2');
    expect([await counters.taken(month), await counters.taken(day)]).toEqual([1, 1]);
  });

  it('ask no counter again for a while once one of them is reached', async () => {
    const { counters, guard, ceilings } = createBench();
    await guard.admit(ceilings(1, 9), 'EX1');
    await guard.admit(ceilings(1, 9), 'EX2');
    const calls = counters.calls.length;
    expect(await guard.admit(ceilings(1, 9), 'EX3')).toMatchObject({ code: 'generation_paused' });
    expect(counters.calls).toHaveLength(calls);
  });

  it('let no image be made while it is unknown whether it was counted', async () => {
    const { counters, guard, ceilings } = createBench();
    counters.script.push({ outcome: 'unknown' });
    expect(await guard.admit(ceilings(5, 5), 'EX')).toEqual({ code: 'upstream_unavailable' });
    counters.script.push(new Error('The table is gone'));
    expect(await guard.admit(ceilings(5, 5), 'EX')).toEqual({ code: 'upstream_unavailable' });
  });

  it('are none where none is set', async () => {
    const { guard, counters } = createBench();
    expect(await guard.admit([], 'EX')).toBeUndefined();
    expect(await guard.admit([dailyGenerations(unlimitedRequests, 0)], 'EX')).toBeUndefined();
    expect(counters.calls).toHaveLength(1);
  });
});
