/** Checks that a value is loaded on first need, once for all, and again after a load that failed. */

import { lazily } from '../../lambda/base/lazily';

describe('a value that is loaded lazily', () => {
  it('is not loaded before it is needed', () => {
    let loads = 0;
    lazily(async () => ++loads);
    expect(loads).toBe(0);
  });

  it('is loaded once for all who need it, at once or later', async () => {
    let loads = 0;
    const get = lazily(async () => ++loads);
    expect(await Promise.all([get(), get()])).toEqual([1, 1]);
    expect(await get()).toBe(1);
  });

  it('is loaded again after a load that failed, which rejects for all who waited for it', async () => {
    let loads = 0;
    const get = lazily(async () => {
      if (++loads === 1) throw new Error('away');
      return loads;
    });
    const outcomes = await Promise.allSettled([get(), get()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await get()).toBe(2);
    expect(await get()).toBe(2);
  });
});
