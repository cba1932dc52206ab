/** How a request comes by an image that is to be made: what it is answered from, waits for, pays and gives back. */

import { generationLeaseMs, generatorStartMs } from '../../lambda/contract/timeouts';
import type { Admission } from '../../lambda/generation/admit-waiting';
import type { Generation } from '../../lambda/generation/generation';
import { createMakeImage } from '../../lambda/generation/make-image';
import { rateLimitStatusOf } from '../../lambda/quota/quota';
import { createVirtualClock } from '../fakes/virtual-clock';
import {
  execution,
  generation,
  inProgress,
  nowMs,
  order,
  outage,
  quota,
  type Steps,
  scriptedLead,
  serviceUnavailable,
} from './scripted-lead';

const leased: Generation = { ...generation, leaseEndsMs: nowMs + generationLeaseMs, isStarted: true };
const { isStarted: _, ...idle } = leased;
const ready: Generation = { ...generation, state: 'READY' };
const failed: Generation = {
  ...generation,
  state: 'FAILED',
  failure: 'upstream_unavailable',
  notBeforeMs: nowMs + 6_500,
};
const payment = { state: 'owed', rateLimit: rateLimitStatusOf(quota, 12) };
const given = 'give back 1 limits';

/** What the index holds at a read, or why it cannot be read. */
type Stored = Generation | undefined | Error;

/**
 * @param stored what there is at each read, of which the last one stays; or after a time, in milliseconds
 * @param isBounded whether executions are few; or whether none is free to wait
 */
async function making(
  stored: readonly Stored[] | ((passedMs: number) => Stored),
  steps: Steps = {},
  isBounded: boolean | 'no place' = false,
) {
  const clock = createVirtualClock(nowMs);
  const reads = typeof stored === 'function' ? [] : [...stored];
  const at = typeof stored === 'function' ? stored : () => (reads.length > 1 ? reads.shift() : reads[0]);
  const read = () => {
    const found = at(clock.nowMs() - nowMs);
    if (found instanceof Error) throw found;
    return found;
  };
  const { deps, done, telemetry } = scriptedLead({ read, clock, ...steps });
  const leave = jest.fn(async () => undefined);
  const admit = jest.fn(
    async (): Promise<Admission | undefined> => (isBounded === 'no place' ? undefined : { isBounded, leave }),
  );
  const made = await clock.settle(createMakeImage({ ...deps, admit })(order));
  const began = done.filter((step) => step.startsWith('acquire')).length;
  return {
    made,
    done,
    telemetry,
    began,
    admitted: admit.mock.calls.length,
    left: leave.mock.calls.length,
    tookMs: clock.nowMs() - nowMs,
  };
}

it.each<[string, Generation, object]>([
  ['is there', ready, { outcome: 'ready', generation: ready, led: false }],
  [
    'was removed',
    { ...generation, state: 'REMOVED' },
    { outcome: 'refused', refusal: { code: 'image_removed' } },
  ],
  [
    'has failed a moment ago',
    failed,
    { outcome: 'refused', refusal: { code: 'upstream_unavailable', retryAfterS: 7 } },
  ],
  [
    'was given to no generator',
    { ...failed, failure: 'not_started' },
    { outcome: 'refused', refusal: { code: 'service_unavailable', retryAfterS: 7 } },
  ],
  [
    'was refused',
    { ...failed, failure: 'content_refused' },
    { outcome: 'refused', refusal: { code: 'content_refused' } },
  ],
])(
  'answers at once, without a place among those that wait, where the image %s',
  async (_, stored, answer) => {
    const { made, done, admitted } = await making([stored]);
    expect(made).toEqual(answer);
    expect([done, admitted]).toEqual([[], 0]);
  },
);

it('makes the image where its pause ends now, and has paid for it', async () => {
  const { made, began, done, admitted, left } = await making([
    { ...failed, notBeforeMs: nowMs },
    leased,
    ready,
  ]);
  expect(made).toEqual({ outcome: 'ready', generation: ready, led: true, payment });
  expect([began, admitted, left]).toEqual([1, 1, 1]);
  expect(done).not.toContain(given);
});

it('begins nothing where no more may wait', async () => {
  const { made, done, telemetry } = await making([undefined], {}, 'no place');
  expect(made).toEqual({ outcome: 'refused', refusal: inProgress });
  expect(done).toEqual([]);
  expect(telemetry.counts).toEqual([{ metric: 'shed', dimensions: { reason: 'too_many_wait' } }]);
});

it('waits for the execution of another request, and pays nothing', async () => {
  const { made, done, left } = await making([leased, leased, ready]);
  expect(made).toEqual({ outcome: 'ready', generation: ready, led: false });
  expect([done, left]).toEqual([[], 1]);
});

it.each<[string, Parameters<typeof making>[0], boolean]>([
  ['after a read that fails, which is taken for one that saw no change', [leased, outage, ready], false],
  ['once a run has begun where executions are few', (ms) => (ms > 15_000 ? ready : leased), true],
  ['that is there when its time is over', (ms) => (ms < 20_000 ? leased : ready), false],
  [
    'of a run that begins at the last moment',
    (ms) => (ms > 9_000 ? ready : ms < generatorStartMs ? idle : leased),
    true,
  ],
])('waits for the image %s', async (_, stored, isBounded) => {
  expect((await making(stored, {}, isBounded)).made).toEqual({
    outcome: 'ready',
    generation: ready,
    led: false,
  });
});

it('waits no longer than its deadline where no read works', async () => {
  const { made, tookMs } = await making([leased, outage]);
  expect([made, tookMs]).toEqual([{ outcome: 'refused', refusal: inProgress }, 20_000]);
});

it.each<[string, Generation, object]>([
  ['has failed', failed, { outcome: 'refused', refusal: { code: 'upstream_unavailable', retryAfterS: 7 } }],
  [
    'was taken over by another that has made it',
    { ...ready, execution: 'another' },
    { outcome: 'ready', generation: { ...ready, execution: 'another' }, led: false },
  ],
])('gives back what its credential has taken where its own execution %s', async (_, end, answer) => {
  const { made, done, left } = await making([undefined, end]);
  expect(made).toEqual(answer);
  expect(done.at(-1)).toBe(given);
  expect(left).toBe(1);
});

it('begins again, with a unit of its credential given back, where its own execution was given up', async () => {
  const { made, done, began } = await making([undefined, { ...generation, state: 'ABANDONED' }, ready]);
  expect(made).toMatchObject({ outcome: 'ready', led: true, generation: { execution } });
  expect(began).toBe(2);
  expect(done.filter((step) => step === given)).toHaveLength(1);
});

const overdue = { ...idle, leaseEndsMs: nowMs + generationLeaseMs - generatorStartMs - 500 };

it.each([
  ['of its own', [undefined, idle], 1, generatorStartMs, true],
  ['of another request', [idle], 0, generatorStartMs, undefined],
  ['that should have begun before it came', [overdue], 0, 0, undefined],
])(
  'waits no longer for a run %s that does not begin than it may take to, where executions are few',
  async (_, stored, led, tookMs, isPaid) => {
    const { made, telemetry, ...seen } = await making(stored, {}, true);
    expect(made).toEqual({ outcome: 'refused', refusal: inProgress, ...(isPaid && { payment }) });
    expect(telemetry.counts).toEqual([{ metric: 'shed', dimensions: { reason: 'not_started' } }]);
    expect([seen.tookMs, seen.left, seen.began]).toEqual([tookMs, 1, led]);
  },
);

it('waits until its deadline where executions are ample, and keeps what it has paid', async () => {
  const { made, tookMs, done } = await making([undefined, idle]);
  expect(made).toEqual({ outcome: 'refused', refusal: inProgress, payment });
  expect([tookMs, done.includes(given)]).toEqual([20_000, false]);
  expect((await making([overdue])).tookMs).toBe(20_000);
});

it('begins once more with a new id where the first was used up, and says that its clock is behind where both were', async () => {
  const { made, began, telemetry } = await making([undefined], { reservation: { outcome: 'stale' } });
  expect(made).toEqual({ outcome: 'refused', refusal: inProgress });
  expect(began).toBe(2);
  expect(telemetry.counts).toEqual([{ metric: 'shed', dimensions: { reason: 'clock_behind' } }]);
});

it('is refused as its attempt to lead is', async () => {
  const { made, left } = await making([undefined], { credential: { outcome: 'unknown' } });
  expect(made).toEqual({ outcome: 'refused', refusal: serviceUnavailable });
  expect(left).toBe(1);
});
