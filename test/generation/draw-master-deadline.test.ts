/** How long a model may take: what is left of the function's time, less what storing and settling need. */

import { settlingReserveMs } from '../../lambda/contract/timeouts';
import { createDrawMaster, type DrawMasterDeps } from '../../lambda/generation/draw-master';
import type { GenerationJob } from '../../lambda/generation/generation-job';
import { imageKey } from '../fakes/branded';
import { createFakeIds } from '../fakes/ids';
import { createFakeImageLibrary } from '../fakes/image-library';
import { createFakeQuotaCounters } from '../fakes/quota-counters';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { createVirtualClock } from '../fakes/virtual-clock';

const job: GenerationJob = {
  lease: { key: imageKey(`G#live#acc#private#${'a'.repeat(64)}`), execution: '01', fence: 1 },
  order: { words: 'sea', style: 'photo', bucket: '16:9', seed: 1 },
};

test('a model gets the time of the function, less what storing and settling need', async () => {
  const clock = createVirtualClock();
  const startMs = clock.nowMs();
  const telemetry = createRecordedTelemetry();
  const abortedMs: number[] = [];
  const deps = {
    generatorFor: async () => ({
      name: 'any',
      generator: {
        capability: { imageToImage: false, aspectRatios: [] },
        generate: (_, signal) =>
          new Promise(() => signal.addEventListener('abort', () => abortedMs.push(clock.nowMs()))),
      },
    }),
    counters: createFakeQuotaCounters(),
    library: createFakeImageLibrary(),
    clock,
    ids: createFakeIds(),
    telemetry,
  } as Partial<DrawMasterDeps> as DrawMasterDeps;
  const drawn = await clock.settle(createDrawMaster(deps)(job, startMs + 60_000));
  expect(abortedMs).toEqual([startMs + 60_000 - settlingReserveMs]);
  expect(drawn).toEqual({ outcome: 'none', why: 'upstream_unavailable' });
  expect(telemetry.errors).toMatchObject([{ fields: { kind: 'unavailable' } }]);
});
