/** The meter: charges, cached refusals and refunds. */

import { hourWindow, monthWindow } from '../../lambda/base/window';
import { detailOf, type FairUse, type RateLimitStatus } from '../../lambda/problems/problem';
import { type Charge, createMeter } from '../../lambda/quota/meter';
import { type Allowance, counterKey } from '../../lambda/quota/quota';
import type { QuotaCounters } from '../../lambda/quota/quota-counters';
import { accountId } from '../fakes/branded';
import { createFakeQuotaCounters, type FakeQuotaCounters } from '../fakes/quota-counters';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { createVirtualClock } from '../fakes/virtual-clock';

function statusAfter({ rateLimit }: Charge): RateLimitStatus {
  if (!rateLimit) throw new Error('The counter was throttled');
  return rateLimit;
}

const throttledCharge: Charge = {
  outcome: 'refused',
  refusal: { code: 'rate_limited', retryAfterS: 1 },
};

function start(startMs = Date.parse('2026-11-21T12:10:00Z')) {
  const clock = createVirtualClock(startMs);
  const counters = createFakeQuotaCounters();
  const telemetry = createRecordedTelemetry();
  const meter = createMeter({ counters, clock, telemetry });
  const anonymous = (limit = 2): Allowance => ({
    counter: { kind: 'ip', ipHash: 'a' },
    limit,
    window: hourWindow(clock.nowMs()),
  });
  const live = (limit = 2, account = accountId('acc_1')): Allowance => ({
    counter: { kind: 'account', account, mode: 'live' },
    limit,
    window: monthWindow(clock.nowMs()),
  });
  const consumed = () => counters.calls.filter(({ operation }) => operation === 'consume').length;
  let n = 0;
  const charge = (allowance: Allowance) => meter.charge(allowance, `request-${n++}`);
  const useUp = async (allowance: Allowance) => {
    while ((await charge(allowance)).outcome === 'charged');
  };
  return { clock, counters, telemetry, meter, anonymous, live, consumed, charge, useUp };
}

describe('charging', () => {
  it('charges one unit and returns what is left', async () => {
    const { charge, live } = start();
    expect(await charge(live())).toMatchObject({ outcome: 'charged', rateLimit: { limit: 2, remaining: 1 } });
    expect(await charge(live())).toMatchObject({ outcome: 'charged', rateLimit: { limit: 2, remaining: 0 } });
  });

  it('refuses by the hour with rate_limited and by the month with quota_exceeded', async () => {
    const { charge, anonymous, live, useUp } = start();
    await useUp(anonymous());
    await useUp(live());
    expect(await charge(anonymous())).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'rate_limited', rateLimit: { limit: 2, remaining: 0 } },
      rateLimit: { limit: 2, remaining: 0, window: { kind: 'hour' } },
    });
    expect(await charge(live())).toMatchObject({ outcome: 'refused', refusal: { code: 'quota_exceeded' } });
  });

  it('reads the counter for every admission', async () => {
    const { charge, live, consumed } = start();
    for (let i = 0; i < 20; i++) await charge(live(1_000));
    expect(consumed()).toBe(20);
  });

  it('caches a refusal for 60 seconds, then reads the counter again', async () => {
    const { charge, live, useUp, consumed, clock } = start();
    await useUp(live());
    const before = consumed();
    await clock.advance(59_999);
    expect((await charge(live())).outcome).toBe('refused');
    expect(consumed()).toBe(before);
    await clock.advance(1);
    expect((await charge(live())).outcome).toBe('refused');
    expect(consumed()).toBe(before + 1);
  });

  it('does not stretch a remembered refusal by repeating it', async () => {
    const { charge, live, useUp, consumed, clock } = start();
    await useUp(live());
    const before = consumed();
    for (let second = 0; second < 120; second++) {
      await clock.advance(1_000);
      await charge(live());
    }
    expect(consumed()).toBe(before + 2);
  });

  it('admits in the next hour, however recent the refusal is', async () => {
    const { charge, anonymous, useUp, clock } = start(Date.parse('2026-11-21T12:59:59.500Z'));
    await useUp(anonymous());
    await clock.advance(499);
    expect((await charge(anonymous())).outcome).toBe('refused');
    await clock.advance(1);
    expect((await charge(anonymous())).outcome).toBe('charged');
  });

  it('admits in the next month', async () => {
    const { charge, live, useUp, clock } = start(Date.parse('2026-11-30T23:59:59.000Z'));
    await useUp(live());
    await clock.advance(1_000);
    expect((await charge(live())).outcome).toBe('charged');
  });

  it('admits after a plan upgrade, and keeps what was spent', async () => {
    const { charge, live, useUp } = start();
    await useUp(live(2));
    expect(await charge(live(5))).toMatchObject({
      outcome: 'charged',
      rateLimit: { limit: 5, remaining: 2 },
    });
  });

  it('caches refusals per account, and separately for live and test keys', async () => {
    const { charge, live, useUp } = start();
    await useUp(live());
    expect((await charge(live(2, accountId('acc_2')))).outcome).toBe('charged');
    const test: Allowance = {
      ...live(),
      counter: { kind: 'account', account: accountId('acc_1'), mode: 'test' },
    };
    expect((await charge(test)).outcome).toBe('charged');
  });

  it('serves when the outcome of the charge is unknown, counts that, and caches nothing', async () => {
    const { charge, live, counters, telemetry, consumed } = start();
    counters.script.push({ outcome: 'unknown' });
    expect(await charge(live())).toMatchObject({ outcome: 'uncounted', rateLimit: { limit: 2 } });
    expect(telemetry.counted('meterUnknown')).toBe(1);
    expect((await charge(live())).outcome).toBe('charged');
    expect(consumed()).toBe(2);
  });

  it('refuses with rate_limited and no rate limit status while the counter is throttled, and remembers nothing', async () => {
    const { charge, live, counters, telemetry } = start();
    counters.script.push({ outcome: 'throttled' });
    expect(await charge(live())).toEqual({
      outcome: 'refused',
      refusal: { code: 'rate_limited', retryAfterS: 1 },
    });
    expect(telemetry.counted('meterThrottled')).toBe(1);
    expect((await charge(live())).outcome).toBe('charged');
  });

  it('throws when the counter refuses to work, and remembers nothing of it', async () => {
    const { charge, live, counters } = start();
    counters.script.push(new Error('no such table'));
    await expect(charge(live())).rejects.toThrow('no such table');
    expect((await charge(live())).outcome).toBe('charged');
  });
});

describe('giving back', () => {
  it('refunds the unit and returns the new remainder', async () => {
    const { charge, live, meter, telemetry } = start();
    const charged = await charge(live());
    expect(await meter.refund(live(), 'request-0', statusAfter(charged))).toMatchObject({
      rateLimit: { limit: 2, remaining: 2 },
      isDone: true,
    });
    expect(telemetry.counted('refunds')).toBe(1);
    expect(await meter.status(live())).toMatchObject({ remaining: 2 });
  });

  it('never returns more than the limit as remaining', async () => {
    const { charge, live, meter } = start();
    const rateLimit = statusAfter(await charge(live(2_147_483_647)));
    const after = await meter.refund(live(2_147_483_647), 'request-0', rateLimit);
    expect(after.rateLimit.remaining).toBe(2_147_483_647);
  });

  it('forgets a refusal that the unit makes untrue', async () => {
    const { charge, live, meter, useUp } = start();
    const first = await charge(live());
    await useUp(live());
    await meter.refund(live(), 'request-0', statusAfter(first));
    expect((await charge(live())).outcome).toBe('charged');
  });

  it('goes to the window that was charged, though another has begun', async () => {
    const { charge, live, meter, counters, clock } = start(Date.parse('2026-11-30T23:59:59.000Z'));
    const allowance = live();
    const charged = await charge(allowance);
    await clock.advance(5_000);
    await meter.refund(allowance, 'request-0', statusAfter(charged));
    expect(counters.calls.at(-1)).toEqual({ operation: 'refund', key: 'Q#acc_1#2026-11' });
    expect(counterKey(live())).toBe('Q#acc_1#2026-12');
  });

  it('that fails is counted and logged, is not repeated, and never throws', async () => {
    const { charge, live, meter, counters, telemetry } = start();
    const charged = await charge(live());
    counters.failRefunds(new Error('lost'));
    expect(await meter.refund(live(), 'request-0', statusAfter(charged))).toEqual({
      rateLimit: statusAfter(charged),
      isDone: false,
    });
    expect(telemetry.counted('refundFailed')).toBe(1);
    expect(telemetry.errors).toHaveLength(1);
    expect(counters.calls.filter(({ operation }) => operation === 'refund')).toHaveLength(1);
  });
});

describe('a rateLimit', () => {
  it('is read without charging', async () => {
    const { charge, anonymous, meter, counters } = start();
    await charge(anonymous());
    expect(await meter.status(anonymous())).toMatchObject({ limit: 2, remaining: 1 });
    expect(counters.calls.map(({ operation }) => operation)).toEqual(['consume', 'taken']);
  });
});

describe('the bounds of a credential', () => {
  const bound = (use: FairUse, limit: number): Allowance => ({
    counter: { kind: 'fair-use', use, owner: 'key_1' },
    limit,
    window: monthWindow(Date.parse('2026-11-21T12:10:00Z')),
  });

  it('are taken before the quota, each by one unit', async () => {
    const { meter, live, counters } = start();
    const bounds = [bound('unproven-requests', 5), bound('site-requests', 5)];
    expect(await meter.charge(live(), 'r', bounds)).toMatchObject({ outcome: 'charged' });
    expect(counters.calls.map(({ key }) => key)).toEqual([
      'F#unproven-requests#key_1#2026-11',
      'F#site-requests#key_1#2026-11',
      'Q#acc_1#2026-11',
    ]);
  });

  it('refuse with their own name and end, and give back what was taken before them', async () => {
    const { meter, live, counters } = start();
    const bounds = [bound('unproven-requests', 5), bound('site-requests', 1)];
    await meter.charge(live(), 'r1', bounds);
    const refused = await meter.charge(live(), 'r2', bounds);
    expect(refused).toMatchObject({ outcome: 'refused', refusal: { use: 'site-requests' } });
    if (refused.outcome !== 'refused') throw new Error('It is refused');
    expect(detailOf(refused.refusal)).toBe(
      'The limit of 1 requests of this site key per month has been reached. It resets at 2026-12-01T00:00:00Z.',
    );
    expect(await counters.taken(bounds[0] as Allowance)).toBe(1);
    expect(await counters.taken(live())).toBe(1);
  });

  it('are given back when the quota refuses', async () => {
    const { meter, live, counters } = start();
    const bounds = [bound('key-requests', 5)];
    await meter.charge(live(1), 'r1', bounds);
    const refused = await meter.charge(live(1), 'r2', bounds);
    expect(refused).toMatchObject({ refusal: { code: 'quota_exceeded' } });
    expect(refused).not.toHaveProperty('refusal.use');
    expect(await counters.taken(bounds[0] as Allowance)).toBe(1);
  });

  it('are given back when the quota cannot be reached', async () => {
    const { live, counters } = start();
    const bounds = [bound('key-requests', 5)];
    const spy = { ...counters, consume: failing(counters, 'Q#') };
    const broken = createMeter({ ...start(), counters: spy });
    await expect(broken.charge(live(), 'r', bounds)).rejects.toThrow('no such table');
    expect(counters.calls.map(({ operation }) => operation)).toEqual(['consume', 'refund']);
    expect(await counters.taken(bounds[0] as Allowance)).toBe(0);
  });

  it('are given back when the counter of the quota is throttled', async () => {
    const { meter, live, counters, telemetry } = start();
    const bounds = [bound('unproven-requests', 5), bound('site-requests', 5)];
    counters.script.push(undefined, undefined, { outcome: 'throttled' });
    expect(await meter.charge(live(), 'r', bounds)).toEqual(throttledCharge);
    expect(telemetry.counted('meterThrottled')).toBe(1);
    for (const each of bounds) expect(await counters.taken(each)).toBe(0);
  });

  it('whose own counter is throttled take nothing, and give back what was taken before it', async () => {
    const { meter, live, counters, telemetry } = start();
    const bounds = [bound('unproven-requests', 5), bound('site-requests', 5)];
    counters.script.push(undefined, { outcome: 'throttled' });
    let asked = 0;
    expect(await meter.charge(live(), 'r', bounds, () => asked++)).toEqual(throttledCharge);
    expect(asked).toBe(0);
    expect(telemetry.counted('meterThrottled')).toBe(1);
    expect(await counters.taken(bounds[0] as Allowance)).toBe(0);
    expect(await counters.taken(live())).toBe(0);
    expect(await meter.charge(live(), 'r2', bounds, () => asked++)).toMatchObject({ outcome: 'charged' });
    expect(asked).toBe(1);
  });

  it('that lost an answer charge the account nothing', async () => {
    const { meter, live, counters, telemetry } = start();
    const bounds = [bound('unproven-requests', 5), bound('site-requests', 5)];
    counters.script.push({ outcome: 'unknown' });
    expect(await meter.charge(live(), 'r', bounds)).toMatchObject({ outcome: 'uncounted' });
    expect(counters.calls.map(({ operation }) => operation)).toEqual(['consume']);
    expect(telemetry.counted('meterUnknown')).toBe(1);
  });

  it('of no units refuse without a call', async () => {
    const { meter, live, counters } = start();
    expect(await meter.charge(live(), 'r', [bound('unproven-requests', 0)])).toMatchObject({
      outcome: 'refused',
      refusal: { use: 'unproven-requests' },
    });
    expect(counters.calls).toEqual([]);
  });

  it('are given back with the request, after its quota', async () => {
    const { meter, live, counters } = start();
    const bounds = [bound('key-requests', 5)];
    const rateLimit = statusAfter(await meter.charge(live(), 'r', bounds));
    await meter.refund(live(), 'r', rateLimit, bounds);
    expect(counters.calls.map(({ operation, key }) => `${operation} ${key[0]}`)).toEqual([
      'consume F',
      'consume Q',
      'refund Q',
      'refund F',
    ]);
  });

  it('stay counted when the refund of the quota fails', async () => {
    const { meter, live, counters } = start();
    const bounds = [bound('key-requests', 5)];
    const rateLimit = statusAfter(await meter.charge(live(), 'r', bounds));
    counters.failRefunds(new Error('lost'));
    expect(await meter.refund(live(), 'r', rateLimit, bounds)).toMatchObject({ isDone: false });
    expect(await counters.taken(bounds[0] as Allowance)).toBe(1);
  });

  it('hold to the unit under 200 parallel requests, some of which find no image', async () => {
    const { meter, live, counters } = start();
    const bounds = [bound('key-requests', 50)];
    const charges = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const charge = await meter.charge(live(1_000), `r${i}`, bounds);
        if (charge.outcome === 'charged' && i % 10 === 0)
          await meter.refund(live(1_000), `r${i}`, charge.rateLimit, bounds);
        return charge.outcome;
      }),
    );
    expect(charges.filter((outcome) => outcome === 'charged').length).toBeGreaterThanOrEqual(50);
    const [own, quota] = [await counters.taken(bounds[0] as Allowance), await counters.taken(live())];
    expect(own).toBe(quota);
    expect(own).toBeLessThanOrEqual(50);
  });
});

/** Counters whose items of one kind cannot be reached. */
function failing(counters: FakeQuotaCounters, prefix: string): QuotaCounters['consume'] {
  return async (allowance, requestId) => {
    if (counterKey(allowance).startsWith(prefix)) throw new Error('no such table');
    return counters.consume(allowance, requestId);
  };
}
