/** How long a model may take: what is left of the function's time, less what storing and settling need. */

import type { GenerationJob } from '../../../lambda/contract/messages/generation-job';
import { settlingReserveMs } from '../../../lambda/contract/timeouts';
import { createDrawMaster, type DrawMasterDeps } from '../../../lambda/usecases/generation/draw-master';
import { imageKey } from '../../fakes/branded';
import { createFakeIds } from '../../fakes/ids';
import { createFakeImageLibrary } from '../../fakes/image-library';
import { createFakeQuotaCounters } from '../../fakes/quota-counters';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';

const job: GenerationJob = {
  lease: { key: imageKey(`G#live#acc#private#${'a'.repeat(64)}`), execution: '01', fence: 1 },
  order: { words: 'sea', style: 'photo', bucket: '16:9', seed: 1 },
};

test('a model gets the time of the function, less what storing and settling need', async () => {
  const startMs = Date.UTC(2026, 10, 21, 12);
  const limits: number[] = [];
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation((delayMs) => {
    limits.push(delayMs);
    return new AbortController().signal;
  });
  const deps = {
    generatorFor: async () => ({
      name: 'any',
      generator: {
        capability: { imageToImage: false, aspectRatios: [] },
        generate: async () => ({ outcome: 'refused', reason: 'unsafe' }),
      },
    }),
    counters: createFakeQuotaCounters(),
    library: createFakeImageLibrary(),
    clock: { nowMs: () => startMs, sleep: async () => undefined },
    ids: createFakeIds(),
    telemetry: createRecordedTelemetry(),
  } as unknown as DrawMasterDeps;
  await createDrawMaster(deps)(job, startMs + 60_000);
  timeout.mockRestore();
  expect(limits).toEqual([60_000 - settlingReserveMs]);
});
