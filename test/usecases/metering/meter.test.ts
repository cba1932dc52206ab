/** The meter: charges, cached refusals and refunds. */

import { type Allowance, counterKey } from '../../../lambda/domain/quota/quota';
import { hourWindow, monthWindow } from '../../../lambda/domain/quota/window';
import { createMeter } from '../../../lambda/usecases/metering/meter';
import { accountId } from '../../fakes/branded';
import { createFakeQuotaCounters } from '../../fakes/quota-counters';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { createVirtualClock } from '../../fakes/virtual-clock';

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
    expect(await meter.refund(live(), 'request-0', charged.rateLimit)).toMatchObject({
      rateLimit: { limit: 2, remaining: 2 },
      isDone: true,
    });
    expect(telemetry.counted('refunds')).toBe(1);
    expect(await meter.status(live())).toMatchObject({ remaining: 2 });
  });

  it('never returns more than the limit as remaining', async () => {
    const { charge, live, meter } = start();
    const { rateLimit } = await charge(live(2_147_483_647));
    const after = await meter.refund(live(2_147_483_647), 'request-0', rateLimit);
    expect(after.rateLimit.remaining).toBe(2_147_483_647);
  });

  it('forgets a refusal that the unit makes untrue', async () => {
    const { charge, live, meter, useUp } = start();
    const first = await charge(live());
    await useUp(live());
    await meter.refund(live(), 'request-0', first.rateLimit);
    expect((await charge(live())).outcome).toBe('charged');
  });

  it('goes to the window that was charged, though another has begun', async () => {
    const { charge, live, meter, counters, clock } = start(Date.parse('2026-11-30T23:59:59.000Z'));
    const allowance = live();
    const charged = await charge(allowance);
    await clock.advance(5_000);
    await meter.refund(allowance, 'request-0', charged.rateLimit);
    expect(counters.calls.at(-1)).toEqual({ operation: 'refund', key: 'Q#acc_1#2026-11' });
    expect(counterKey(live())).toBe('Q#acc_1#2026-12');
  });

  it('that fails is counted and logged, is not repeated, and never throws', async () => {
    const { charge, live, meter, counters, telemetry } = start();
    const charged = await charge(live());
    counters.failRefunds(new Error('lost'));
    expect(await meter.refund(live(), 'request-0', charged.rateLimit)).toEqual({
      rateLimit: charged.rateLimit,
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
