/** Checks that a pending value is read again after growing pauses, and that the last read comes when the time is over. */

import { poll } from '../../lambda/base/poll';
import { createVirtualClock } from '../fakes/virtual-clock';

const isPending = (value: string) => value === 'pending';

function start() {
  const clock = createVirtualClock(0);
  const readAtMs: number[] = [];
  const options = { clock, endsMs: 1_000, firstPauseMs: 100, longestPauseMs: 300, growth: 2 };
  /** Reads `done` from a moment on. */
  const readDoneFrom = (momentMs: number) => async () => {
    readAtMs.push(clock.nowMs());
    return clock.nowMs() >= momentMs ? 'done' : 'pending';
  };
  return { clock, readAtMs, options, readDoneFrom };
}

describe('polling', () => {
  it('reads nothing when the value is not pending', async () => {
    const { clock, readAtMs, options, readDoneFrom } = start();
    expect(await clock.settle(poll('done', isPending, readDoneFrom(0), options))).toBe('done');
    expect(readAtMs).toEqual([]);
  });

  it('pauses longer each time, up to the longest pause, until the value is there', async () => {
    const { clock, readAtMs, options, readDoneFrom } = start();
    expect(await clock.settle(poll('pending', isPending, readDoneFrom(850), options))).toBe('done');
    expect(readAtMs).toEqual([100, 300, 600, 900]);
  });

  it('reads a last time when the time is over, and gives back what it read', async () => {
    const { clock, readAtMs, options, readDoneFrom } = start();
    expect(await clock.settle(poll('pending', isPending, readDoneFrom(5_000), options))).toBe('pending');
    expect(readAtMs).toEqual([100, 300, 600, 900, 1_000]);
  });

  it('reads nothing when the time is over already', async () => {
    const { clock, readAtMs, options, readDoneFrom } = start();
    const over = { ...options, endsMs: 0 };
    expect(await clock.settle(poll('pending', isPending, readDoneFrom(0), over))).toBe('pending');
    expect(readAtMs).toEqual([]);
  });

  it('numbers its reads from one', async () => {
    const { clock, options } = start();
    const counts: number[] = [];
    const read = async (count: number) => {
      counts.push(count);
      return count === 3 ? 'done' : 'pending';
    };
    await clock.settle(poll('pending', isPending, read, options));
    expect(counts).toEqual([1, 2, 3]);
  });
});
