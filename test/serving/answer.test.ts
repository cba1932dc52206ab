/** `listUsage` and `findRateLimit`: the payment of an answer shows in the usage and in the headers. */

import { computeHourWindow, computeMonthWindow } from '../../lambda/base/window';
import type { Payment } from '../../lambda/quota/payment';
import { findRateLimit, listUsage } from '../../lambda/serving/answer';
import { servedImage } from '../fakes/values';

const rateLimit = { limit: 10, remaining: 9, window: computeMonthWindow(0) };

describe('the answer to a request', () => {
  test.each<[string, Omit<Payment, 'units' | 'rateLimit'>, object | undefined]>([
    ['a charged answer counts', { state: 'charged' }, {}],
    ['an answer of unknown payment counts', { state: 'unknown' }, {}],
    ['a free variation counts as free', { state: 'free', freeReason: 'variation' }, { isFree: true }],
    ['an image that was paid before does not count', { state: 'free', freeReason: 'paid-before' }, undefined],
  ])('in the usage, %s', (_, paid, counted) => {
    const payment: Payment = { ...paid, units: [], rateLimit };
    const answer = { outcome: 'served', image: servedImage, cache: 'HIT', payment } as const;
    const outcome = { source: servedImage.source, cache: 'HIT', ...counted };
    expect(listUsage(answer)).toEqual(counted ? [outcome] : []);
  });

  test('an answer counts a refusal by its code, unless this instance remembers it', () => {
    const refusal = { code: 'rate_limited', rateLimit } as const;
    expect(listUsage({ outcome: 'refused', refusal })).toEqual([{ refused: 'rate_limited' }]);
    expect(listUsage({ outcome: 'refused', refusal: { ...refusal, isRemembered: true } })).toEqual([]);
  });

  test('an answer states the limit that refused it, or the plan’s for used-up AI images', () => {
    const hour = { limit: 1, remaining: 0, window: computeHourWindow(0) };
    const payment = { state: 'refunded', units: [], rateLimit } as const;
    const refused = {
      outcome: 'refused',
      refusal: { code: 'rate_limited', rateLimit: hour },
      payment,
    } as const;
    expect(findRateLimit(refused)).toEqual(hour);
    expect(findRateLimit({ outcome: 'refused', refusal: { code: 'no_image_found' }, payment })).toEqual(
      rateLimit,
    );
    expect(findRateLimit({ outcome: 'refused', refusal: { code: 'not_found' } })).toBeUndefined();
    const noMore = {
      code: 'quota_exceeded',
      rateLimit: { ...rateLimit, limit: 25 },
      kind: 'generations',
    } as const;
    expect(findRateLimit({ outcome: 'refused', refusal: noMore, payment })).toEqual(rateLimit);
  });
});
