/** What becomes of the bytes that a generator answers with. */

import { createDrawMaster } from '../../lambda/generation/draw-master';
import type { GenerationJob } from '../../lambda/generation/generation-job';
import type { GeneratorRequest } from '../../lambda/generation/generator';
import type { ImageCodec } from '../../lambda/images/image-codec';
import { imageKey, libraryPath } from '../fakes/branded';
import { createFakeIds } from '../fakes/ids';
import { createFakeImageLibrary } from '../fakes/image-library';
import { createFakeQuotaCounters } from '../fakes/quota-counters';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { createVirtualClock } from '../fakes/virtual-clock';

const job: GenerationJob = {
  lease: { key: imageKey(`G#live#acc_1#private#${'0'.repeat(64)}`), execution: 'EX', fence: 1 },
  order: { words: 'sea', style: 'photo', bucket: '16:9', seed: 1 },
};

function drawing(measured: Awaited<ReturnType<ImageCodec['measure']>>, imageToImage = false) {
  const clock = createVirtualClock();
  const telemetry = createRecordedTelemetry();
  const library = createFakeImageLibrary();
  const asked: GeneratorRequest[] = [];
  const draw = createDrawMaster({
    turns: { take: async () => true },
    generatorFor: async () => ({
      name: 'fake',
      generator: {
        capability: { imageToImage, aspectRatios: [] },
        generate: async (wanted) => {
          asked.push(wanted);
          return { outcome: 'image', bytes: new Uint8Array([1]), mediaType: 'image/png', model: 'm' };
        },
      },
    }),
    counters: createFakeQuotaCounters(),
    library,
    codec: { measure: async () => measured },
    clock,
    ids: createFakeIds(),
    telemetry,
  });
  return {
    draw: (change: Partial<GenerationJob> = {}) => draw({ ...job, ...change }, clock.nowMs() + 120_000),
    library,
    asked,
    telemetry,
  };
}

it('is a master whose own size is recorded', async () => {
  const { draw } = drawing({ outcome: 'measured', mediaType: 'image/png', widthPx: 1344, heightPx: 768 });
  expect(await draw()).toMatchObject({
    outcome: 'image',
    size: { widthPx: 1344, heightPx: 768 },
    extension: 'png',
  });
});

it('is a failure of the generator when no rendition can be made of it', async () => {
  const { draw, telemetry } = drawing({ outcome: 'unusable', reason: 'moving' });
  expect(await draw()).toEqual({ outcome: 'none', why: 'upstream_unavailable' });
  expect(telemetry.errors).toMatchObject([{ fields: { kind: 'malformed' } }]);
});

it.each([
  [true, new Uint8Array([7])],
  [false, undefined],
])('is a variation of its base where the generator starts from images: %s', async (starts, base) => {
  const { draw, library, asked } = drawing(
    { outcome: 'measured', mediaType: 'image/png', widthPx: 1344, heightPx: 768 },
    starts,
  );
  const basePath = libraryPath('private/a/01/master.png');
  await library.put(basePath, { bytes: new Uint8Array([7]), mediaType: 'image/png' });
  await draw({ order: { ...job.order, variation: 3 }, basePath });
  await draw({ basePath });
  expect(asked.map((each) => [each.variation, each.base])).toEqual([
    [3, base],
    [undefined, undefined],
  ]);
});
