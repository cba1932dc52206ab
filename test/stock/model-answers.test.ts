/** How often a model is sent a request about a search, and how long its answer stands. */

import { createModelAnswers } from '../../lambda/stock/model-answers';
import { createFakeIds } from '../fakes/ids';
import { createFakeItemStore } from '../fakes/item-store';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aSearchCaller } from '../fakes/search-caller';
import { createVirtualClock } from '../fakes/virtual-clock';

const hourMs = 3_600_000;
const timeoutMs = 4_000;

/** @param answer of the n-th request, of which nothing is `undefined` */
function bench(
  answer: (n: number, clock: ReturnType<typeof createVirtualClock>) => Promise<string | undefined>,
) {
  const clock = createVirtualClock();
  const cache = createFakeItemStore(clock);
  const telemetry = createRecordedTelemetry();
  const ids = createFakeIds();
  const counted: string[] = [];
  const charged: string[] = [];
  /** How much time each request was given, in milliseconds. */
  const given: number[] = [];
  const instance = () =>
    createModelAnswers<string>(
      { cache, clock, ids, telemetry },
      { kind: 'judgement', count: (outcome) => void counted.push(outcome), timeoutMs },
    );
  const one = instance();
  const caller = {
    ...aSearchCaller,
    chargeModelRequest: async (kind: string) => {
      charged.push(kind);
      return true;
    },
  };
  /** What the model says about some words within so many milliseconds. */
  const about = (words: string, by = one, withinMs = 10_000, as: typeof aSearchCaller = caller) =>
    clock.settle(
      by({ deadlineMs: clock.nowMs() + withinMs, caller: as }, [words], (deadlineMs) => {
        given.push(deadlineMs - clock.nowMs());
        return answer(given.length, clock);
      }),
    );
  return { clock, cache, telemetry, counted, charged, given, instance, about };
}

it('is sent one request about the same by all instances at once, and the others wait for its answer', async () => {
  const { about, instance, given, counted, charged, cache } = bench(async (n, clock) => {
    await clock.sleep(2_000);
    return `answer ${n}`;
  });
  const answers = await Promise.all([about('lake'), about('lake'), about('lake', instance())]);
  expect(answers).toEqual(['answer 1', 'answer 1', 'answer 1']);
  expect([given, counted, charged]).toEqual([[timeoutMs], ['answered'], ['judgement']]);
  expect(await about('sea')).toBe('answer 2');
  const before = cache.calls.length;
  expect(await about('lake', instance())).toBe('answer 1');
  const calls = cache.calls.slice(before);
  expect(calls.map(({ operation }) => operation)).toEqual(['read']);
  expect(calls[0]?.key).toMatch(/^JUDGEMENT#[0-9a-f]{64}$/);
});

it.each([
  ['an answer', 'yes', 30 * 24 * hourMs, 'answered'],
  ['no answer that counts', undefined, hourMs, 'failed'],
])('%s stands for its time, and no longer', async (_, answer, standsForMs, outcome) => {
  const { about, clock, given, counted } = bench(async () => answer);
  await about('lake');
  await clock.advance(standsForMs - 1);
  expect(await about('lake')).toBe(answer);
  expect(given).toHaveLength(1);
  await clock.advance(1);
  await about('lake');
  expect(counted).toEqual([outcome, outcome]);
});

it('has no longer than its caller, who waits no longer for that of another', async () => {
  const { about, instance, given, clock } = bench(async () => {
    await clock.sleep(3_000);
    return 'late';
  });
  const beganMs = clock.nowMs();
  const [, other] = await Promise.all([
    about('lake', undefined, 9_000),
    about('lake', instance(), 1_000).then((answer) => ({ answer, afterMs: clock.nowMs() - beganMs })),
  ]);
  expect(other).toEqual({ answer: undefined, afterMs: 1_000 });
  await about('sea', undefined, 500);
  expect(given).toEqual([timeoutMs, 500]);
});

it('that fails is logged, and gives no answer', async () => {
  const { about, telemetry, counted } = bench(() => Promise.reject(new Error('out of order')));
  expect(await about('lake')).toBeUndefined();
  expect(telemetry.infos).toEqual([
    { message: expect.any(String), fields: { kind: 'judgement', reason: 'Error: out of order' } },
  ]);
  expect([counted, telemetry.errors]).toEqual([['failed'], []]);
});

it('is sent nothing for a caller that may not, and the next one need not wait', async () => {
  const { about, telemetry, counted, given } = bench(async () => 'yes');
  const not = { ...aSearchCaller, chargeModelRequest: async () => false };
  for (const caller of [not, aSearchCaller])
    expect(await about('lake', undefined, 10_000, caller)).toBeUndefined();
  expect([counted, given, telemetry.errors]).toEqual([['limited', 'limited'], [], []]);
  expect(await about('lake')).toBe('yes');
});

it.each(['read', 'lease', 'write'] as const)(
  'gives no answer while the cache fails to %s',
  async (operation) => {
    const { about, cache, telemetry } = bench(async () => 'yes');
    cache.fail(operation, true);
    expect(await about('lake')).toBeUndefined();
    expect(telemetry.errors).toMatchObject([{ fields: { kind: 'judgement' } }]);
  },
);
