/** The limits by which each kind of caller is counted, and their windows. */

import { defaultPlans } from '../../lambda/contract/plans';
import type { AccountId, KeyedCaller } from '../../lambda/credentials/caller';
import { writeDetail } from '../../lambda/problems/problem';
import {
  listGenerationLimits,
  listRequestLimits,
  listWaitingLimits,
  listWorkLimits,
  makeGenerationMonthLimit,
  makeLimitOwner,
  makePaidImageLimit,
  makeSelfServiceLimit,
} from '../../lambda/quota/caller-limits';
import { type Limit, refuseByLimit } from '../../lambda/quota/limit';

const nowMs = Date.UTC(2026, 10, 27, 12, 34, 56);
const live: KeyedCaller = { kind: 'live', account: 'a1' as AccountId, plan: 'free', keyId: 'k1' };
const testCaller: KeyedCaller = { ...live, kind: 'test' };
const site: KeyedCaller = { ...live, publishedAs: 'site', maxPerMonth: 500 };
const list = (limits: readonly Limit[]) => limits.map(({ owner, max, window }) => [owner, max, window.label]);

describe('the limits of a caller', () => {
  test('an address is counted by the hour, test keys by the hour, live keys by the month', () => {
    expect(list(listRequestLimits({ kind: 'anonymous' }, 'h', defaultPlans, nowMs))).toEqual([
      ['ip#h', 10, '2026-11-27T12'],
    ]);
    expect(list(listRequestLimits(testCaller, '', defaultPlans, nowMs))).toEqual([
      ['test#a1', 100, '2026-11-27T12'],
    ]);
    expect(list(listRequestLimits(live, '', defaultPlans, nowMs))).toEqual([['live#a1', 1_000, '2026-11']]);
  });

  test('the cap of a credential is counted before the quota of its account', () => {
    expect(list(listRequestLimits({ ...site, isUnproven: true }, '', defaultPlans, nowMs))).toEqual([
      ['unproven#k1', 50, '2026-11'],
      ['key#k1', 500, '2026-11'],
      ['live#a1', 1_000, '2026-11'],
    ]);
    const small = { ...site, kind: 'test', maxPerMonth: 9, isUnproven: true } as const;
    expect(list(listRequestLimits(small, '', defaultPlans, nowMs))).toEqual([
      ['unproven#k1', 1, '2026-11'],
      ['key#k1', 9, '2026-11'],
      ['test#a1', 100, '2026-11-27T12'],
    ]);
  });

  test('each kind of caller has limits of work by the hour', () => {
    const hour = '2026-11-27T12';
    expect(list(listWorkLimits({ kind: 'anonymous' }, 'h', nowMs))).toEqual([
      ['ip#h', 30, hour],
      ['anonymous', 3_000, hour],
    ]);
    expect(list(listWorkLimits(live, '', nowMs))).toEqual([['live#a1', 300, hour]]);
    expect(list(listWorkLimits({ ...live, plan: 'enterprise' }, '', nowMs))).toEqual([
      ['live#a1', 40_000, hour],
    ]);
    expect(list(listWorkLimits(testCaller, '', nowMs))).toEqual([['test#a1', 100, hour]]);
    expect(list(listWorkLimits(site, 'h', nowMs))).toEqual([
      ['visitor#k1#h', 60, hour],
      ['key#k1', 300, hour],
    ]);
    const signer = { ...live, publishedAs: 'signer' } as const;
    expect(list(listWorkLimits(signer, 'h', nowMs))).toEqual([['key#k1', 300, hour]]);
    expect(list([makePaidImageLimit(site, 'image', nowMs)])).toEqual([['paid#k1#image', 60, hour]]);
    expect(list([makeSelfServiceLimit(live, nowMs)])).toEqual([['reports#live#a1', 30, '2026-11-27T12:34']]);
  });

  test('the refusal by the limit that all callers without a key share says so', () => {
    const [, ofAll] = listWorkLimits({ kind: 'anonymous' }, 'h', nowMs);
    expect(writeDetail(refuseByLimit(ofAll as Limit))).toContain(
      'deliveries of all callers without a key per hour',
    );
  });

  test('an AI image counts in the month, the minute and the day', () => {
    expect(list(listGenerationLimits(live, defaultPlans, 2_000, nowMs))).toEqual([
      ['live#a1', defaultPlans.free.generationsPerMonth, '2026-11'],
      ['live#a1', 30, '2026-11-27T12:34'],
      ['all', 120, '2026-11-27T12:34'],
      ['live#a1', 500, '2026-11-27'],
      ['all', 2_000, '2026-11-27'],
    ]);
    expect(listGenerationLimits(live, defaultPlans, undefined, nowMs)).toHaveLength(3);
    // What the sandbox draws for a test key costs the operator nothing.
    expect(list(listGenerationLimits(testCaller, defaultPlans, 2_000, nowMs))).toEqual([
      ['test#a1', 25, '2026-11'],
      ['test#a1', 30, '2026-11-27T12:34'],
      ['all', 120, '2026-11-27T12:34'],
    ]);
    expect(listGenerationLimits(live, defaultPlans, 40, nowMs).at(-2)?.max).toBe(25);
    expect(makeGenerationMonthLimit({ ...testCaller, plan: 'enterprise' }, defaultPlans, nowMs).max).toBe(25);
    expect(makeLimitOwner(testCaller)).not.toBe(makeLimitOwner(live));
  });

  test.each([
    [1_000, 125, 31],
    [100, 12, 6],
    [10, 2, 2],
    [0, 2, 2],
    [4_000, 500, 125],
  ])(
    'with %d executions, %d requests can wait, of which %d for one account',
    (executions, places, placesOfAccount) => {
      expect(list(listWaitingLimits(live, executions, nowMs))).toEqual([
        ['live#a1', placesOfAccount, '2026-11-27T12:34:30'],
        ['all', places, '2026-11-27T12:34:30'],
      ]);
    },
  );

  test('if nothing bounds the executions, all requests may wait', () => {
    expect(listWaitingLimits(live, undefined, nowMs)).toEqual([]);
  });
});
