/** Concurrent requests are admitted a few at a time, in order, and waiting requests do not block others. */

import { createAdmissionGate } from '../../local/gateway/throttles';
import { breathe, createDeferred } from '../fakes/deferred';

test('thirty-two concurrent requests start, and each completion admits the next', async () => {
  const { admit } = createAdmissionGate();
  const begun: number[] = [];
  const works = Array.from({ length: 40 }, (_, index) => {
    const work = createDeferred<number>();
    const result = admit(() => {
      begun.push(index);
      return work.promise;
    });
    return { ...work, result };
  });
  await breathe();
  expect(begun).toHaveLength(32);
  works[5]?.resolve(5);
  expect(await works[5]?.result).toBe(5);
  await breathe();
  expect(begun.at(-1)).toBe(32);
  for (const [index, { resolve }] of works.entries()) resolve(index);
  expect(await Promise.all(works.map(({ result }) => result))).toEqual(works.map((_, index) => index));
  expect(begun).toEqual(works.map((_, index) => index));
});

test('a failure admits the next request too', async () => {
  const { admit } = createAdmissionGate();
  const failing = Array.from({ length: 64 }, () => admit(() => Promise.reject(new Error('no'))));
  const outcomes = await Promise.allSettled(failing);
  expect(outcomes.map(({ status }) => status)).toEqual(failing.map(() => 'rejected'));
  expect(await admit(async () => 'in')).toBe('in');
});

test('requests that only wait do not block others for long', async () => {
  const { admit } = createAdmissionGate();
  const gate = createDeferred<void>();
  const waiters = Array.from({ length: 100 }, () => admit(() => gate.promise));
  expect(await admit(async () => 'in')).toBe('in');
  gate.resolve();
  await Promise.all(waiters);
});
