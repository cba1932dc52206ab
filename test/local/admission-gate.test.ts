/** Concurrent requests are admitted a few at a time, in order, and waiting requests do not block others. */

import { createAdmissionGate } from '../../local/gateway/throttles';
import { breathe, createDeferred } from '../fakes/deferred';

const stands = () => 0;
const nothing = async () => undefined;

test('thirty-two concurrent requests start, and each completion admits the next', async () => {
  const admit = createAdmissionGate(stands);
  const begun: number[] = [];
  const works = Array.from({ length: 40 }, (_, index) => {
    const work = createDeferred<void>();
    const result = admit(() => {
      begun.push(index);
      return work.promise;
    });
    return { ...work, result };
  });
  await breathe();
  expect(begun).toHaveLength(32);
  works[5]?.resolve();
  expect(await works[5]?.result).toBe(true);
  await breathe();
  expect(begun.at(-1)).toBe(32);
  for (const { resolve } of works) resolve();
  expect(await Promise.all(works.map(({ result }) => result))).toEqual(works.map(() => true));
  expect(begun).toEqual(works.map((_, index) => index));
});

test('a failure admits the next request too', async () => {
  const admit = createAdmissionGate(stands);
  const failing = Array.from({ length: 64 }, () => admit(() => Promise.reject(new Error('no'))));
  const outcomes = await Promise.allSettled(failing);
  expect(outcomes.map(({ status }) => status)).toEqual(failing.map(() => 'rejected'));
  expect(await admit(nothing)).toBe(true);
});

test('requests that only wait do not block others for long', async () => {
  const admit = createAdmissionGate(stands);
  const gate = createDeferred<void>();
  const waiters = Array.from({ length: 100 }, () => admit(() => gate.promise));
  expect(await admit(nothing)).toBe(true);
  gate.resolve();
  await Promise.all(waiters);
});

test.each([
  [3_000, true],
  [3_001, false],
])(
  'a request whose turn comes after %d ms begins: %s, and the next has its turn',
  async (waitsMs, begins) => {
    let nowMs = 0;
    const admit = createAdmissionGate(() => nowMs);
    const gate = createDeferred<void>();
    const held = Array.from({ length: 32 }, () => admit(() => gate.promise));
    const late = jest.fn(nothing);
    const waiting = [admit(late), admit(late)];
    nowMs = waitsMs;
    gate.resolve();
    await Promise.all(held);
    expect(await Promise.all(waiting)).toEqual([begins, begins]);
    expect(late).toHaveBeenCalledTimes(begins ? 2 : 0);
    expect(await admit(nothing)).toBe(true);
  },
);
