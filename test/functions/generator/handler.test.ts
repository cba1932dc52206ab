/** The generator has until the end of its function; what it leaves unfinished is logged, and its failure is Lambda's to count. */

import { createHandler } from '../../../lambda/functions/generator/handler';
import type { RunGeneration } from '../../../lambda/generation/run-generation';
import { aGenerationJob } from '../../fakes/ai';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { createVirtualClock } from '../../fakes/virtual-clock';

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
  await invoke(aGenerationJob);
  expect(runs).toEqual([[aGenerationJob, clock.nowMs() + 140_000]]);
});

test.each([
  ['a generation that fails', aGenerationJob, 'no table'],
  ['an event that is no job', {}, /^Not a generation job/],
])('%s is logged and fails the function', async (_, event, message) => {
  const { telemetry, invoke } = start(() => Promise.reject(new Error('no table')));
  await expect(invoke(event)).rejects.toThrow(message);
  expect(telemetry.errors).toMatchObject([{ message: 'A generation was left unfinished' }]);
});
