/** What an attempt to lead a generation takes, hands over, gives back and answers, by how each step ends. */

import { GeneratorBusy } from '../../lambda/generation/generation-job';
import { type ImageOrder, lead } from '../../lambda/generation/lead-generation';
import { rateLimitStatusOf } from '../../lambda/quota/quota';
import { libraryPath } from '../fakes/branded';
import {
  ceilings,
  execution,
  generation,
  identity,
  inProgress,
  lease,
  order,
  outage,
  overdue,
  quota,
  quotaKey,
  refusedPrompts,
  reserved,
  type Steps,
  scriptedLead,
  serviceUnavailable,
  throttled,
} from './scripted-lead';

async function leading(steps: Steps = {}, changes: Partial<ImageOrder> = {}) {
  const { deps, ...seen } = scriptedLead(steps);
  return { attempt: await lead(deps, { ...order, ...changes }), ...seen };
}

const begun = [`acquire ${quotaKey} for 150000`, 'take 1 limits', 'reserve 1 for true due 150000'];
const refused = (refusal: object) => ({ outcome: 'refused', refusal });

it('hands the job over once everything is taken, and owes the first delivery', async () => {
  const { attempt, done, jobs } = await leading({ reservation: { ...reserved, overdue: [overdue] } });
  const rateLimit = rateLimitStatusOf(quota, 12);
  expect(attempt).toEqual({
    outcome: 'leading',
    execution,
    generation,
    payment: { state: 'owed', rateLimit },
  });
  expect(done).toEqual([...begun, 'take ceilings', 'sweep older']);
  const charge = { quotaKey, execution, cost: 1, prunable: ['old'] };
  expect(jobs).toEqual([
    { lease, order: identity.order, charge, counted: ['month', 'day'], similarityKey: 'S#1' },
  ]);
});

it('takes no unit for a free variation, which holds a place, and names its base', async () => {
  const basePath = libraryPath('masters/a.png');
  const free = { isFree: true, basePath, identity: { ...identity, visibility: 'private' as const } };
  const { attempt, done, jobs } = await leading({}, free);
  expect(attempt).toEqual({ outcome: 'leading', execution, generation });
  expect(done).toEqual([
    'acquire for nothing for 150000',
    'take 0 limits',
    'reserve 0 for true due 150000',
    'take ceilings',
  ]);
  expect(jobs).toEqual([
    {
      lease,
      order: identity.order,
      charge: { quotaKey, execution, cost: 0, prunable: ['old'] },
      counted: ['month', 'day'],
      basePath,
    },
  ]);
});

it.each<[string, Steps, object, readonly string[]]>([
  [
    'the hour’s refused prompts are used up',
    { prompts: 0 },
    refused({
      code: 'rate_limited',
      rateLimit: rateLimitStatusOf(refusedPrompts, 20),
      use: 'refused-prompts',
    }),
    [],
  ],
  [
    'another execution makes it',
    { isTaken: true },
    { outcome: 'following', generation },
    [`acquire ${quotaKey} for 150000`],
  ],
  [
    'the credential has spent its own',
    { credential: { outcome: 'refused', refusal: throttled } },
    refused(throttled),
    [...begun.slice(0, 2), 'release'],
  ],
  [
    'the credential’s counter gives no answer',
    { credential: { outcome: 'unknown' } },
    refused(serviceUnavailable),
    [...begun.slice(0, 2), 'release'],
  ],
  [
    'the quota is used up',
    { reservation: { outcome: 'quota_exceeded' } },
    refused({ code: 'quota_exceeded', rateLimit: rateLimitStatusOf(quota, quota.limit) }),
    [...begun, 'release', 'give back 1 limits'],
  ],
  [
    'all places are held',
    { reservation: { outcome: 'too_many_generations' } },
    refused({ code: 'too_many_generations', retryAfterS: 5 }),
    [...begun, 'release', 'give back 1 limits'],
  ],
  [
    'its id was used up',
    { reservation: { outcome: 'stale' } },
    { outcome: 'stale', generation },
    [...begun, 'release', 'give back 1 limits'],
  ],
  [
    'the day’s ceiling is reached',
    { ceiling: async () => ({ outcome: 'refused', refusal: throttled, by: ceilings[1] as never }) },
    refused({ code: 'generation_paused', endsMs: Date.UTC(2026, 10, 22) }),
    [...begun, 'take ceilings', 'release', 'refund 1 old', 'give back 1 limits'],
  ],
  [
    'another limit than a ceiling is reached',
    { ceiling: async () => ({ outcome: 'refused', refusal: throttled, by: quota }) },
    refused(throttled),
    [...begun, 'take ceilings', 'release', 'refund 1 old', 'give back 1 limits'],
  ],
  [
    'the counter of a ceiling is throttled',
    { ceiling: async () => ({ outcome: 'refused', refusal: throttled }) },
    refused(throttled),
    [...begun, 'take ceilings', 'release', 'refund 1 old', 'give back 1 limits'],
  ],
])('answers, and gives back what it took, where %s', async (_, steps, answer, done) => {
  const led = await leading(steps);
  expect(led.attempt).toEqual(answer);
  expect(led.done).toEqual(done);
  expect(led.jobs).toEqual([]);
  expect(led.telemetry.errors).toEqual([]);
});

it('counts a reservation that is throttled', async () => {
  const { attempt, done, telemetry } = await leading({ reservation: { outcome: 'throttled' } });
  expect(attempt).toEqual(refused(throttled));
  expect(done).toEqual([...begun, 'release', 'give back 1 limits']);
  expect(telemetry.counted('meterThrottled')).toBe(1);
});

it('makes no image that could not be counted, and logs why', async () => {
  const { attempt, done, telemetry } = await leading({ ceiling: () => Promise.reject(outage) });
  expect(attempt).toEqual(refused(serviceUnavailable));
  expect(done).toEqual([...begun, 'take ceilings', 'release', 'refund 1 old', 'give back 1 limits']);
  expect(telemetry.errors).toMatchObject([{ message: 'A generation was not counted', error: outage }]);
});

it('leaves to the sweeper what cannot be given back', async () => {
  const { attempt, done, telemetry } = await leading({
    reservation: { outcome: 'too_many_generations' },
    release: () => Promise.reject(outage),
  });
  expect(attempt).toMatchObject({ outcome: 'refused' });
  expect(done).toEqual([...begun, 'release', 'give back 1 limits']);
  expect(telemetry.errors).toMatchObject([
    { message: 'An unused lease could not be given back', error: outage },
  ]);
});

it.each([
  [false, 'give back 3 limits'],
  [true, 'give back 2 limits'],
])('gives everything back when the generator is busy, and counts it (free: %s)', async (isFree, given) => {
  const { attempt, done, telemetry } = await leading(
    { handOver: () => Promise.reject(new GeneratorBusy('busy')) },
    { isFree },
  );
  expect(attempt).toEqual(refused(inProgress));
  expect(done.slice(-3)).toEqual(['release', `refund ${isFree ? 0 : 1} old`, given]);
  expect(telemetry.counts).toEqual([{ metric: 'shed', dimensions: { reason: 'throttled' } }]);
});

it.each([
  ['failed', ['refund 1 old', 'give back ceilings']],
  ['ready', ['commit']],
  ['fenced', ['refund 1 old']],
] as const)('ends the execution when nobody knows whether the job was taken: %s', async (ended, after) => {
  const { attempt, done, telemetry } = await leading({ handOver: () => Promise.reject(outage), ended });
  expect(attempt).toMatchObject({ outcome: 'leading', execution });
  expect(done).toEqual([...begun, 'take ceilings', 'fail not_started 1 5000', ...after]);
  expect(telemetry.errors).toMatchObject([{ message: 'The generator did not take a job', error: outage }]);
});
