/** Uses that are handed over to be reported: once for each image, account and day. */

import type { UseReport } from '../../lambda/images/renderer-job';
import { createNoteUse } from '../../lambda/stock/uses';
import { createFakeItemStore } from '../fakes/item-store';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { createVirtualClock } from '../fakes/virtual-clock';

const url = 'https://api.example/photos/1/download';
const image = (pick: string) => ({ pick, use: { provider: 'alpha', url } });

function bench() {
  const clock = createVirtualClock(Date.UTC(2026, 10, 21, 23, 59));
  const cache = createFakeItemStore(clock);
  const telemetry = createRecordedTelemetry();
  const jobs: UseReport[] = [];
  let handOver = async (job: UseReport) => void jobs.push(job);
  const loadBackground = async () => ({ handOver: (job: UseReport) => handOver(job) });
  const instance = (by: Pick<typeof cache, 'take'> = cache) =>
    createNoteUse({ cache: by, loadBackground, clock, telemetry });
  const fail = () => {
    handOver = () => Promise.reject(new Error('out of order'));
  };
  const outcomes = () => telemetry.counts.map(({ dimensions }) => dimensions);
  return { clock, cache, telemetry, jobs, instance, fail, outcomes };
}

it('are handed over once for each image, account and UTC day, by any number of instances', async () => {
  const { clock, cache, jobs, instance, outcomes } = bench();
  const note = instance();
  await note(image('a'), 'acc_1');
  expect(jobs).toEqual([{ kind: 'report-use', provider: 'alpha', url }]);
  expect(outcomes()).toEqual([{ provider: 'alpha', outcome: 'handed-over' }]);
  await note(image('a'), 'acc_1');
  expect(cache.calls).toHaveLength(1);
  await instance()(image('a'), 'acc_1');
  expect(jobs).toHaveLength(1);
  await note(image('b'), 'acc_1');
  await note(image('a'), 'acc_2');
  expect(jobs).toHaveLength(3);
  await clock.advance(60_000);
  await note(image('a'), 'acc_1');
  expect(jobs).toHaveLength(4);
});

it('are claimed until the end of their day', async () => {
  const { clock, cache, instance } = bench();
  const claims: unknown[] = [];
  const take = async (...claim: Parameters<typeof cache.take>) => {
    claims.push(claim);
    return true;
  };
  await instance({ take })(image('a'), 'acc_1');
  const endMs = clock.nowMs() + 60_000;
  expect(claims).toEqual([['USE#a#acc_1#2026-11-21', [{ name: 'n', limit: 1 }], endMs]]);
});

it('of images whose provider wants no reports cost nothing', async () => {
  const { cache, jobs, instance } = bench();
  await instance()({ pick: 'a' }, 'acc_1');
  expect([cache.calls, jobs]).toEqual([[], []]);
});

it('are rather reported twice than not at all', async () => {
  const { cache, jobs, instance, telemetry } = bench();
  cache.fail('take', true);
  await instance()(image('a'), 'acc_1');
  expect([jobs.length, telemetry.errors.length]).toEqual([1, 1]);
});

it('that cannot be handed over are counted as lost', async () => {
  const { instance, fail, outcomes, telemetry } = bench();
  fail();
  await instance()(image('a'), 'acc_1');
  expect(outcomes()).toEqual([{ provider: 'alpha', outcome: 'lost' }]);
  expect(telemetry.errors).toMatchObject([{ fields: { provider: 'alpha' } }]);
});
