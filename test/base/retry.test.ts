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

const doubled = (_: unknown, attempt: number) => 100 * 2 ** (attempt - 1);

it.each([
  ['once where it succeeds at once', 0, doubled, 'done', 1, []],
  ['after each failure, after the pause that belongs to it', 2, doubled, 'done', 3, [100, 200]],
  ['as often as it may be, without a pause after the last', 9, doubled, 'failure 3', 3, [100, 200]],
  ['no more where another attempt would not help', 9, () => undefined, 'failure 1', 1, []],
  ['at once where there is nothing to wait for', 1, () => 0, 'done', 2, [0]],
] as const)('work is done %s', async (_, failures, pauseMsAfter, outcome, calls, pauses) => {
  const paused = createPauses();
  const failed = failing(failures);
  const how = { attemptsMax: 3, pauseMsAfter, clock: paused.clock };
  expect(await retry(failed.work, how).catch(({ message }: Error) => message)).toBe(outcome);
  expect([failed.calls(), paused.pauses]).toEqual([calls, pauses]);
});

it.each([
  ['before a pause', doubled, AbortSignal.abort(new Error('aborted'))],
  ['where no pause is made', () => 0, AbortSignal.abort(new Error('aborted'))],
  ['in a pause', doubled, undefined],
])(
  'no attempt begins after the signal is aborted %s, and what had failed is said',
  async (_, pauseMsAfter, aborted) => {
    const abort = new AbortController();
    const sleep = async () => {
      abort.abort(new Error('aborted'));
      throw abort.signal.reason;
    };
    const { work, calls } = failing(9);
    const how = { attemptsMax: 3, pauseMsAfter, clock: { sleep }, signal: aborted ?? abort.signal };
    await expect(retry(work, how)).rejects.toThrow('failure 1');
    expect(calls()).toBe(1);
  },
);
