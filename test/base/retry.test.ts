/** Checks that work is repeated as often as it may be, after the pauses it names, and no longer than its signal lasts. */

import { retry } from '../../lambda/base/retry';

/** A clock whose pauses end at once and are written down. */
function createPauses() {
  const pauses: number[] = [];
  const clock = {
    sleep: async (delayMs: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      pauses.push(delayMs);
    },
  };
  return { clock, pauses };
}

/** Work that fails so many times before it succeeds. */
function failing(times: number) {
  let calls = 0;
  const work = async () => {
    calls += 1;
    if (calls <= times) throw new Error(`failure ${calls}`);
    return 'done';
  };
  return { work, calls: () => calls };
}

describe('work that is repeated', () => {
  const doubled = (_: unknown, attempt: number) => 100 * 2 ** (attempt - 1);

  it('is done once when it succeeds at once', async () => {
    const { clock, pauses } = createPauses();
    const { work, calls } = failing(0);
    expect(await retry(work, { attemptsMax: 3, pauseMsAfter: doubled, clock })).toBe('done');
    expect([calls(), pauses]).toEqual([1, []]);
  });

  it('is tried again after each failure, after the pause that belongs to it', async () => {
    const { clock, pauses } = createPauses();
    const { work, calls } = failing(2);
    expect(await retry(work, { attemptsMax: 3, pauseMsAfter: doubled, clock })).toBe('done');
    expect([calls(), pauses]).toEqual([3, [100, 200]]);
  });

  it('ends with the last failure when the attempts are used up, without another pause', async () => {
    const { clock, pauses } = createPauses();
    const { work, calls } = failing(9);
    const outcome = retry(work, { attemptsMax: 3, pauseMsAfter: doubled, clock });
    await expect(outcome).rejects.toThrow('failure 3');
    expect([calls(), pauses]).toEqual([3, [100, 200]]);
  });

  it('ends with a failure that another attempt would not help', async () => {
    const { clock, pauses } = createPauses();
    const { work, calls } = failing(9);
    const outcome = retry(work, { attemptsMax: 3, pauseMsAfter: () => undefined, clock });
    await expect(outcome).rejects.toThrow('failure 1');
    expect([calls(), pauses]).toEqual([1, []]);
  });

  it('is tried again at once where there is nothing to wait for', async () => {
    const { clock, pauses } = createPauses();
    expect(await retry(failing(1).work, { attemptsMax: 2, pauseMsAfter: () => 0, clock })).toBe('done');
    expect(pauses).toEqual([]);
  });

  it.each([
    ['with a pause', doubled],
    ['without one', () => 0],
  ])(
    'is not tried again after its signal was aborted, %s, and says what had failed',
    async (_, pauseMsAfter) => {
      const { clock } = createPauses();
      const { work, calls } = failing(9);
      const signal = AbortSignal.abort(new Error('aborted'));
      await expect(retry(work, { attemptsMax: 3, pauseMsAfter, clock, signal })).rejects.toThrow('failure 1');
      expect(calls()).toBe(1);
    },
  );

  it('is not tried again when its signal is aborted in a pause', async () => {
    const abort = new AbortController();
    const clock = {
      sleep: async () => {
        abort.abort(new Error('aborted'));
        throw abort.signal.reason;
      },
    };
    const { work, calls } = failing(9);
    const outcome = retry(work, { attemptsMax: 3, pauseMsAfter: doubled, clock, signal: abort.signal });
    await expect(outcome).rejects.toThrow('failure 1');
    expect(calls()).toBe(1);
  });
});
