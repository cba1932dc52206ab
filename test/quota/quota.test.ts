/** The limit of each caller, its counter, and the remaining requests. */

import fc from 'fast-check';
import { hourWindow } from '../../lambda/base/window';
import { defaultPlans, planNames, unlimitedRequests } from '../../lambda/contract/plans';
import type { Caller, KeyedCaller } from '../../lambda/credentials/caller';
import { FaultAfterCharge, type Payment, paymentOf } from '../../lambda/quota/payment';
import {
  chargedKey,
  counterKey,
  grantingCounterKey,
  openPartOf,
  quotaOf,
  rateLimitStatusOf,
  reservationsKey,
  summedKeys,
} from '../../lambda/quota/quota';
import { accountId } from '../fakes/branded';

const nowMs = Date.parse('2026-11-21T12:34:56Z');
const keyed = (kind: KeyedCaller['kind'], plan: KeyedCaller['plan']): Caller => ({
  kind,
  account: accountId('acc_1'),
  plan,
  keyId: 'key_1',
});
const of = (caller: Caller) => quotaOf(caller, 'hash', defaultPlans, nowMs);

describe('a quota', () => {
  it.each([
    ['an anonymous caller', { kind: 'anonymous' } as Caller, 10, 'RL#hash#2026-11-21T12', 'hour'],
    ['a live key on free', keyed('live', 'free'), 1_000, 'Q#acc_1#2026-11', 'month'],
    ['a live key on pro', keyed('live', 'pro'), 50_000, 'Q#acc_1#2026-11', 'month'],
    ['a live key on business', keyed('live', 'business'), 500_000, 'Q#acc_1#2026-11', 'month'],
    ['a live key on enterprise', keyed('live', 'enterprise'), 2_147_483_647, 'Q#acc_1#2026-11', 'month'],
    ['a test key on free', keyed('test', 'free'), 100, 'Q#acc_1#test#2026-11-21T12', 'hour'],
    ['a test key on enterprise', keyed('test', 'enterprise'), 100, 'Q#acc_1#test#2026-11-21T12', 'hour'],
  ])('of %s', (_, caller, limit, key, kind) => {
    const quota = of(caller);
    expect(quota.limit).toBe(limit);
    expect(quota.window.kind).toBe(kind);
    expect(counterKey(quota)).toBe(key);
  });

  it('is shared by the keys of an account and the plan does not move its counter', () => {
    const keys = planNames.map((plan) =>
      counterKey(of({ ...(keyed('live', plan) as KeyedCaller), keyId: plan })),
    );
    expect(new Set(keys).size).toBe(1);
  });

  it('of a test key never touches the live counter', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Date.UTC(2199, 1) }),
        fc.stringMatching(/^[a-z0-9_]{1,12}$/),
        (now, account) => {
          const callers = (['live', 'test'] as const).map(
            (kind) => ({ kind, account: accountId(account), plan: 'pro', keyId: 'k' }) as const,
          );
          const [live, test] = callers.map((caller) => counterKey(quotaOf(caller, '', defaultPlans, now)));
          expect(live).not.toBe(test);
        },
      ),
    );
  });

  it('follows the configured plans', () => {
    const plans = { ...defaultPlans, free: { ...defaultPlans.free, monthlyRequests: 7 } };
    expect(quotaOf(keyed('live', 'free'), '', plans, nowMs).limit).toBe(7);
  });
});

describe('a rateLimit', () => {
  it('leaves what was not taken, never less than nothing', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500_000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        (limit, taken) => {
          const rateLimit = rateLimitStatusOf({ ...of(keyed('live', 'free')), limit }, taken);
          expect(rateLimit.remaining).toBe(Math.max(0, limit - taken));
          expect(rateLimit.limit).toBe(limit);
        },
      ),
    );
  });

  it('of an unlimited plan never shrinks', () => {
    const rateLimit = rateLimitStatusOf(of(keyed('live', 'enterprise')), 123_456);
    expect(rateLimit).toMatchObject({ limit: unlimitedRequests, remaining: unlimitedRequests });
  });
});

test.each([
  [100, 0, 50],
  [100, 1, 75],
  [9, 0, 4],
  [9, 1, 6],
  [100, 2, 100],
])('of %i that accounts share, after %i half-hours %i are open', (limit, halves, open) => {
  const startMs = Date.parse('2026-11-21T12:00:00Z');
  expect(openPartOf(limit, hourWindow(startMs), startMs + halves * 1_800_000)).toBe(open);
});

describe('the items of a counter', () => {
  const pro = of(keyed('live', 'pro'));
  const unlimited = of(keyed('live', 'enterprise'));

  it('are its own and one for pending generations, which it grants their units', () => {
    expect(chargedKey(pro, 'r1')).toBe('Q#acc_1#2026-11');
    expect(summedKeys(pro)).toEqual(['Q#acc_1#2026-11']);
    expect(reservationsKey(pro)).toBe('Q#acc_1#2026-11#held');
    expect(grantingCounterKey('Q#acc_1#2026-11#held')).toBe('Q#acc_1#2026-11');
  });

  it('of an account without a limit are eight more, over which its requests are spread, and none grants', () => {
    const keys = Array.from({ length: 100 }, (_, i) => chargedKey(unlimited, `r${i}`));
    const shards = Array.from({ length: 8 }, (_, shard) => `Q#acc_1#2026-11#${shard}`);
    expect([...new Set(keys)].sort()).toEqual(shards);
    expect(chargedKey(unlimited, 'r1')).toBe(keys[1]);
    expect(summedKeys(unlimited)).toEqual(['Q#acc_1#2026-11', ...shards]);
    expect(reservationsKey(unlimited)).toBe('Q#acc_1#2026-11');
    expect(grantingCounterKey('Q#acc_1#2026-11')).toBeUndefined();
  });

  it('of fair use is one, however high the limit', () => {
    const limit = { ...unlimited, counter: { kind: 'fair-use', use: 'searches', owner: 'a' } } as const;
    expect(chargedKey(limit, 'r1')).toBe('F#searches#a#2026-11');
  });
});

test('a fault after a charge says what was paid, and any other nothing', () => {
  const payment: Payment = { state: 'owed', rateLimit: rateLimitStatusOf(of(keyed('live', 'free')), 1) };
  const fault = new FaultAfterCharge(payment, 'the cause');
  expect(fault).toMatchObject({ message: 'A request failed after it was charged', cause: 'the cause' });
  expect(paymentOf(fault)).toBe(payment);
  expect(paymentOf(Object.assign(new Error('no fault of a charge'), { payment }))).toBeUndefined();
  expect(paymentOf({ name: 'FaultAfterCharge', payment })).toBeUndefined();
});
