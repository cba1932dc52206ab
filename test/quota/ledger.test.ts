/** Charges, remembered refusals and refunds. */

import { hourWindow, monthWindow } from '../../lambda/base/window';
import { detailOf, type FairUse } from '../../lambda/problems/problem';
import { dailyGenerations, monthlyGenerationsOf } from '../../lambda/quota/fair-use';
import { createLedger } from '../../lambda/quota/ledger';
import type { Payment } from '../../lambda/quota/payment';
import { counterKey, type Limit } from '../../lambda/quota/quota';
import type { CounterCharge } from '../../lambda/quota/quota-counters';
import { accountId } from '../fakes/branded';
import { createFakeQuotaCounters } from '../fakes/quota-counters';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { createVirtualClock } from '../fakes/virtual-clock';

const noon = Date.parse('2026-11-21T12:10:00Z');
const throttled = { outcome: 'refused', refusal: { code: 'rate_limited', retryAfterS: 1 } } as const;

function start(startMs = noon) {
  const clock = createVirtualClock(startMs);
  const counters = createFakeQuotaCounters();
  const telemetry = createRecordedTelemetry();
  const announced: string[] = [];
  const announceUsage = async ({ window, limit }: Limit, used: number) =>
    void announced.push(`${window.kind} ${used}/${limit}`);
  const ledger = createLedger({ counters, clock, telemetry, announceUsage });
  const anonymous = (limit = 2): Limit => ({
    counter: { kind: 'ip', ipHash: 'a' },
    limit,
    window: hourWindow(clock.nowMs()),
  });
  const live = (limit = 2, account = 'acc_1', mode: 'live' | 'test' = 'live'): Limit => ({
    counter: { kind: 'account', account: accountId(account), mode },
    limit,
    window: monthWindow(clock.nowMs()),
  });
  const calls = () => counters.calls.map(({ operation, key }) => `${operation} ${key}`);
  let n = 0;
  const charge = (quota: Limit, credentialLimits: readonly Limit[] = []) =>
    ledger.charge({ quota, credentialLimits, requestId: `request-${n++}` });
  /** The payment's state, or the code of the refusal. */
  const ending = async (...of: Parameters<typeof charge>) => {
    const charged = await charge(...of);
    return charged.outcome === 'admitted' ? charged.payment.state : charged.refusal.code;
  };
  const paid = async (...of: Parameters<typeof charge>): Promise<Payment> => {
    const charged = await charge(...of);
    if (charged.outcome === 'refused') throw new Error(`Refused: ${charged.refusal.code}`);
    return charged.payment;
  };
  const useUp = async (quota: Limit) => {
    while ((await ending(quota)) === 'charged');
  };
  return {
    announced,
    clock,
    counters,
    telemetry,
    ledger,
    anonymous,
    live,
    calls,
    charge,
    ending,
    paid,
    useUp,
  };
}

describe('charging', () => {
  it('takes one unit, asks the counter every time, and says what is left', async () => {
    const { paid, live, calls } = start();
    expect(await paid(live())).toMatchObject({ state: 'charged', rateLimit: { limit: 2, remaining: 1 } });
    expect(await paid(live())).toMatchObject({ state: 'charged', rateLimit: { limit: 2, remaining: 0 } });
    expect(calls()).toHaveLength(2);
  });

  it('refuses by the hour with rate_limited and by the month with quota_exceeded', async () => {
    const { charge, anonymous, live, useUp } = start();
    await useUp(anonymous());
    await useUp(live());
    expect(await charge(anonymous())).toMatchObject({
      refusal: { code: 'rate_limited', rateLimit: { limit: 2, remaining: 0, window: { kind: 'hour' } } },
    });
    expect(await charge(live())).toMatchObject({ refusal: { code: 'quota_exceeded' } });
  });

  it('remembers a refusal for 60 seconds, however often it is repeated', async () => {
    const { ending, live, useUp, calls, clock } = start();
    await useUp(live());
    const before = calls().length;
    await clock.advance(59_999);
    expect(await ending(live())).toBe('quota_exceeded');
    expect(calls()).toHaveLength(before);
    for (let second = 0; second < 61; second++) {
      await clock.advance(1_000);
      expect(await ending(live())).toBe('quota_exceeded');
    }
    expect(calls()).toHaveLength(before + 2);
  });

  it.each([
    ['hour', '2026-11-21T12:59:59.500Z', 500],
    ['month', '2026-11-30T23:59:59.500Z', 500],
  ] as const)('admits in the next %s, however recent the refusal is', async (kind, at, leftMs) => {
    const { ending, anonymous, live, useUp, clock } = start(Date.parse(at));
    const own = kind === 'hour' ? anonymous : live;
    await useUp(own());
    await clock.advance(leftMs - 1);
    expect(await ending(own())).not.toBe('charged');
    await clock.advance(1);
    expect(await ending(own())).toBe('charged');
  });

  it('admits after a plan upgrade, and keeps what was spent', async () => {
    const { paid, live, useUp } = start();
    await useUp(live(2));
    expect(await paid(live(5))).toMatchObject({ rateLimit: { limit: 5, remaining: 2 } });
  });

  it('remembers refusals per account, and separately for live and test keys', async () => {
    const { ending, live, useUp } = start();
    await useUp(live());
    expect(await ending(live(2, 'acc_2'))).toBe('charged');
    expect(await ending(live(2, 'acc_1', 'test'))).toBe('charged');
  });

  it.each([
    ['meterUnknown', { outcome: 'unknown' }, { payment: { state: 'owed', rateLimit: { limit: 2 } } }],
    ['meterThrottled', { outcome: 'throttled' }, throttled],
  ] as const)('counts %s, and remembers nothing of it', async (metric, charged, expected) => {
    const { charge, ending, live, counters, telemetry, calls } = start();
    counters.script.push(charged);
    expect(await charge(live())).toMatchObject(expected);
    expect(telemetry.counted(metric)).toBe(1);
    expect(await ending(live())).toBe('charged');
    expect(calls()).toHaveLength(2);
  });

  it('throws when the counter refuses to work, and remembers nothing of it', async () => {
    const { ending, live, counters } = start();
    counters.script.push(new Error('no such table'));
    await expect(ending(live())).rejects.toThrow('no such table');
    expect(await ending(live())).toBe('charged');
  });

  it('takes nothing for a request that comes with a payment, and gives nothing back', async () => {
    const { ledger, live, calls } = start();
    const payment: Payment = { state: 'owed', rateLimit: { limit: 2, remaining: 1, window: live().window } };
    const request = { quota: live(), credentialLimits: [], requestId: 'r', payment };
    let asked = 0;
    expect(await ledger.charge(request, () => asked++)).toEqual({ outcome: 'admitted', payment });
    expect(asked).toBe(1);
    expect(await ledger.refund(request, payment)).toBe(payment);
    expect(await ledger.status(request)).toBe(payment.rateLimit);
    expect(calls()).toEqual([]);
  });

  it('knows beforehand what this instance has refused within the minute, without a call', async () => {
    const { ledger, live, anonymous, useUp, calls, clock } = start();
    expect(ledger.cachedRefusal([live(), anonymous()])).toBeUndefined();
    await useUp(anonymous());
    const before = calls().length;
    expect(ledger.cachedRefusal([live(), anonymous()])).toMatchObject({ code: 'rate_limited' });
    expect(ledger.cachedRefusal([live()])).toBeUndefined();
    await clock.advance(60_000);
    expect(ledger.cachedRefusal([anonymous()])).toBeUndefined();
    expect(calls()).toHaveLength(before);
  });

  it('reads the last status only where this instance has not met the counter in its window', async () => {
    const { ledger, live, paid, calls, clock } = start();
    expect(await ledger.lastStatus(live())).toMatchObject({ limit: 2, remaining: 2 });
    await paid(live());
    expect(await ledger.lastStatus(live())).toMatchObject({ limit: 2, remaining: 1 });
    await clock.advance(31 * 86_400_000);
    expect(await ledger.lastStatus(live())).toMatchObject({ limit: 2, remaining: 2 });
    expect(calls().map((call) => call.split(' ')[0])).toEqual(['taken', 'charge', 'taken']);
  });

  it('says how a limit is changed only where its caller can change it', async () => {
    const { charge, live } = start();
    const hint = 'Ask for more.';
    expect(await charge({ ...live(0), hint })).toMatchObject({ refusal: { hint } });
    const { refusal } = (await charge(live(0))) as { refusal: object };
    expect(Object.keys(refusal)).toEqual(['code', 'rateLimit', 'isRemembered']);
  });

  it('reads no counter for the status of a plan without a limit', async () => {
    const { ledger, live, calls } = start();
    const limit = 2_147_483_647;
    expect(await ledger.status({ quota: live(limit) })).toMatchObject({ limit, remaining: limit });
    expect(calls()).toEqual([]);
  });

  it('reads the status without charging', async () => {
    const { charge, anonymous, ledger, counters } = start();
    await charge(anonymous());
    expect(await ledger.status({ quota: anonymous() })).toMatchObject({ limit: 2, remaining: 1 });
    expect(counters.calls.map(({ operation }) => operation)).toEqual(['charge', 'taken']);
  });
});

describe('a refund', () => {
  const requestId = 'request-0';

  it('gives the unit back and returns the new remainder', async () => {
    const { paid, live, ledger, telemetry } = start();
    const payment = await paid(live());
    expect(await ledger.refund({ quota: live(), credentialLimits: [], requestId }, payment)).toMatchObject({
      state: 'refunded',
      rateLimit: { limit: 2, remaining: 2 },
    });
    expect(telemetry.counted('refunds')).toBe(1);
    expect(await ledger.status({ quota: live() })).toMatchObject({ remaining: 2 });
  });

  it('never returns more than the limit as remaining', async () => {
    const { paid, live, ledger } = start();
    const quota = live(2_147_483_647);
    const after = await ledger.refund({ quota, credentialLimits: [], requestId }, await paid(quota));
    expect(after.rateLimit.remaining).toBe(2_147_483_647);
  });

  it('forgets a refusal that the unit makes untrue', async () => {
    const { ending, paid, live, ledger, useUp } = start();
    const first = await paid(live());
    await useUp(live());
    await ledger.refund({ quota: live(), credentialLimits: [], requestId }, first);
    expect(await ending(live())).toBe('charged');
  });

  it('of a credential forgets the refusals of its limits too', async () => {
    const { ending, paid, live, ledger } = start();
    const own = [monthlyGenerationsOf('acc_1', 1, noon)];
    const first = await paid(live(), own);
    expect(await ending(live(), own)).toBe('quota_exceeded');
    await ledger.refund({ quota: live(), credentialLimits: own, requestId }, first);
    expect(await ending(live(), own)).toBe('charged');
  });

  it('goes to the window that was charged, though another has begun', async () => {
    const { paid, live, ledger, calls, clock } = start(Date.parse('2026-11-30T23:59:59.000Z'));
    const quota = live();
    const payment = await paid(quota);
    await clock.advance(5_000);
    await ledger.refund({ quota, credentialLimits: [], requestId }, payment);
    expect(calls().at(-1)).toBe('refund Q#acc_1#2026-11');
    expect(counterKey(live())).toBe('Q#acc_1#2026-12');
  });

  it('that fails leaves the unit owed: it is counted and logged, is not repeated, and never throws', async () => {
    const { paid, live, ledger, counters, telemetry } = start();
    const payment = await paid(live());
    counters.failRefunds(new Error('lost'));
    const after = await ledger.refund({ quota: live(), credentialLimits: [], requestId }, payment);
    expect(after).toEqual({ ...payment, state: 'owed' });
    expect(telemetry.counted('refundFailed')).toBe(1);
    expect(telemetry.errors).toHaveLength(1);
    expect(counters.calls.filter(({ operation }) => operation === 'refund')).toHaveLength(1);
  });
});

describe('the windows that bound a credential', () => {
  const bound = (use: FairUse, limit: number): Limit => ({
    counter: { kind: 'fair-use', use, owner: 'key_1' },
    limit,
    window: monthWindow(noon),
  });
  const site = [bound('unproven-requests', 5), bound('site-requests', 5)];
  const [unproven, requests] = site as [Limit, Limit];

  it('are taken before the quota, each by one unit, and given back after it', async () => {
    const { ledger, paid, live, calls } = start();
    const payment = await paid(live(), site);
    await ledger.refund({ quota: live(), credentialLimits: site, requestId: 'request-0' }, payment);
    expect(calls()).toEqual([
      'charge F#unproven-requests#key_1#2026-11',
      'charge F#site-requests#key_1#2026-11',
      'charge Q#acc_1#2026-11',
      'refund Q#acc_1#2026-11',
      'refund F#unproven-requests#key_1#2026-11',
      'refund F#site-requests#key_1#2026-11',
    ]);
  });

  it('refuse with their own name and end', async () => {
    const { charge, live } = start();
    const credentialLimits = [unproven, bound('site-requests', 1)];
    await charge(live(), credentialLimits);
    const refused = await charge(live(), credentialLimits);
    if (refused.outcome !== 'refused') throw new Error('It is refused');
    expect(refused.refusal).toMatchObject({ use: 'site-requests' });
    expect(detailOf(refused.refusal)).toBe(
      'The limit of 1 requests of this site key per month has been reached. It resets at 2026-12-01T00:00:00Z.',
    );
  });

  it.each<[string, (CounterCharge | Error | undefined)[], object | 'throws']>([
    ['a later one is used up', [undefined, { outcome: 'exhausted' }], { refusal: { use: 'site-requests' } }],
    ['a later one is throttled', [undefined, { outcome: 'throttled' }], throttled],
    ['a later one cannot be reached', [undefined, new Error('no table')], 'throws'],
    ['a later one lost its answer', [undefined, { outcome: 'unknown' }], { payment: { state: 'owed' } }],
    [
      'the quota is used up',
      [undefined, undefined, { outcome: 'exhausted' }],
      { refusal: { code: 'quota_exceeded' } },
    ],
    ['the quota is throttled', [undefined, undefined, { outcome: 'throttled' }], throttled],
    ['the quota cannot be reached', [undefined, undefined, new Error('no table')], 'throws'],
  ])('are given back, and the account is charged nothing, when %s', async (_, script, expected) => {
    const { ledger, live, counters } = start();
    counters.script.push(...script);
    let asked = 0;
    const request = { quota: live(), credentialLimits: site, requestId: 'r' };
    const charging = ledger.charge(request, () => asked++);
    if (expected === 'throws') await expect(charging).rejects.toThrow('no table');
    else expect(await charging).toMatchObject(expected);
    for (const each of [unproven, requests, live()]) expect(await counters.taken(each)).toBe(0);
    // What is asked before the quota says nothing about it.
    expect(asked).toBe(script.length > 2 ? 1 : 0);
  });

  it('of no units refuse without a call', async () => {
    const { charge, live, calls } = start();
    expect(await charge(live(), [bound('unproven-requests', 0)])).toMatchObject({
      refusal: { use: 'unproven-requests' },
    });
    expect(calls()).toEqual([]);
  });

  it('that cannot be given back stay counted: the log names the limit, and no credential', async () => {
    const { ledger, counters, telemetry } = start();
    await ledger.take(site, 'r');
    counters.failRefunds(new Error('lost'));
    await ledger.giveBack(site, 'r');
    expect(telemetry.counted('refundFailed')).toBe(2);
    expect(telemetry.errors.map(({ fields }) => fields)).toEqual([
      { counter: 'unproven-requests' },
      { counter: 'site-requests' },
    ]);
    expect(JSON.stringify(telemetry.errors)).not.toContain('key_1');
  });

  it('stay counted when the refund of the quota fails', async () => {
    const { ledger, paid, live, counters } = start();
    const payment = await paid(live(), site);
    counters.failRefunds(new Error('lost'));
    const after = await ledger.refund(
      { quota: live(), credentialLimits: site, requestId: 'request-0' },
      payment,
    );
    expect(after.state).toBe('owed');
    expect(await counters.taken(unproven)).toBe(1);
  });

  it('hold to the unit under 200 parallel requests, some of which find no image', async () => {
    const { ledger, live, counters } = start();
    const credentialLimits = [bound('key-requests', 50)];
    const charges = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const request = { quota: live(1_000), credentialLimits, requestId: `r${i}` };
        const charge = await ledger.charge(request);
        if (charge.outcome === 'admitted' && i % 10 === 0) await ledger.refund(request, charge.payment);
        return charge.outcome;
      }),
    );
    expect(charges.filter((outcome) => outcome === 'admitted').length).toBeGreaterThanOrEqual(50);
    const [own, quota] = [await counters.taken(credentialLimits[0] as Limit), await counters.taken(live())];
    expect(own).toBe(quota);
    expect(own).toBeLessThanOrEqual(50);
  });
});

describe('the ceilings on generations', () => {
  const ceilings = (month: number, day: number, owner = 'live#a', nowMs = noon) => [
    monthlyGenerationsOf(owner, month, nowMs),
    dailyGenerations(day, nowMs),
  ];

  it('admit exactly as many as the lowest of them, and count in none what one of them refuses', async () => {
    const { clock, ledger, counters, announced } = start();
    const take = () => ledger.take(ceilings(5, 2), 'EX');
    expect(await take()).toMatchObject({
      outcome: 'taken',
      of: ceilings(5, 2),
      rateLimit: { limit: 2, remaining: 1, window: { kind: 'day' } },
    });
    expect((await take()).outcome).toBe('taken');
    expect(await take()).toMatchObject({ by: { window: { kind: 'day' } }, refusal: { use: 'generations' } });
    expect(announced).toEqual(['month 1/5', 'day 1/2', 'month 2/5', 'day 2/2']);
    for (const each of ceilings(5, 2)) expect(await counters.taken(each)).toBe(2);
    await clock.advance(86_400_000);
    expect((await ledger.take(ceilings(5, 2, 'live#a', clock.nowMs()), 'EX')).outcome).toBe('taken');
  });

  it('leave half of the day to others when one account takes what it can, and are never exceeded', async () => {
    const { ledger, counters } = start(Date.parse('2026-11-21T00:00:00Z'));
    const taken = async (owner: string) => {
      let count = 0;
      for (let i = 0; i < 30; i++) {
        const take = await ledger.take(
          [dailyGenerations(20, Date.parse('2026-11-21T00:00:00Z'), owner)],
          'EX',
        );
        if (take.outcome === 'taken') count += 1;
        else if (take.outcome === 'refused' && count < 20)
          expect(['generation-share', 'generations']).toContain('use' in take.refusal && take.refusal.use);
      }
      return count;
    };
    // Two free accounts no longer pause everybody.
    expect([await taken('live#a'), await taken('live#b'), await taken('live#c')]).toEqual([10, 4, 4]);
    const all = dailyGenerations(20, Date.parse('2026-11-21T00:00:00Z'));
    expect(await counters.taken(all)).toBe(18);
    // Of the refusals of what is open to one account, the first alone is a write.
    const writes = counters.calls.filter(
      ({ operation, key }) => operation === 'charge' && key === counterKey(all),
    );
    expect(writes).toHaveLength(18 + 1);
  });

  it('are none where none is set', async () => {
    const { ledger, counters } = start();
    expect(await ledger.take([], 'EX')).toMatchObject({ outcome: 'taken' });
    expect(counters.calls).toEqual([]);
  });
});
