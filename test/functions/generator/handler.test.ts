/** The generator has until the end of its function; what it leaves unfinished is logged, and its failure is Lambda's to count. */

import { createHandler } from '../../../lambda/functions/generator/handler';
import type { GenerationJob } from '../../../lambda/generation/generation-job';
import type { RunGeneration } from '../../../lambda/generation/run-generation';
import { imageKey } from '../../fakes/branded';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { createVirtualClock } from '../../fakes/virtual-clock';

const job: GenerationJob = {
  lease: { key: imageKey(`G#live#acc_1#private#${'0'.repeat(64)}`), execution: 'EX', fence: 1 },
  order: { words: 'sea', style: 'photo', bucket: '16:9', seed: 1 },
};

function start(run: RunGeneration) {
  const clock = createVirtualClock();
  const telemetry = createRecordedTelemetry();
  const handler = createHandler({ run, clock, telemetry });
  const invoke = (event: unknown) => handler(event, { getRemainingTimeInMillis: () => 140_000 });
  return { clock, telemetry, invoke };
}

test('a job is run until its function ends', async () => {
  const runs: unknown[] = [];
  const { clock, invoke } = start(async (...run) => void runs.push(run));
  await invoke(job);
  expect(runs).toEqual([[job, clock.nowMs() + 140_000]]);
});

test.each([
  ['a generation that fails', job, 'no table'],
  ['an event that is no job', {}, /^Not a generation job/],
])('%s is logged and fails the function', async (_, event, message) => {
  const { telemetry, invoke } = start(() => Promise.reject(new Error('no table')));
  await expect(invoke(event)).rejects.toThrow(message);
  expect(telemetry.errors).toMatchObject([{ message: 'A generation was left unfinished' }]);
});
