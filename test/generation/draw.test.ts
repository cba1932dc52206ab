/** What a generator is asked for and how long it may take, and what becomes of the bytes that it answers with. */

import { settlingReserveMs } from '../../lambda/contract/timeouts';
import { type DrawServices, draw as drawWith } from '../../lambda/generation/draw';
import {
  type Drawn,
  type Generator,
  GeneratorFailure,
  type GeneratorRequest,
} from '../../lambda/generation/generator';
import type { GenerationJob } from '../../lambda/generation/generator-queue';
import { promptFor } from '../../lambda/generation/prompt';
import type { Measured } from '../../lambda/images/image-codec';
import { aGenerationJob } from '../fakes/ai';
import { libraryPath } from '../fakes/branded';
import { createFakeImageLibrary } from '../fakes/image-library';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { createVirtualClock } from '../fakes/virtual-clock';

const measured = { outcome: 'measured', mediaType: 'image/png', widthPx: 1344, heightPx: 768 } as const;
const image = { outcome: 'image', bytes: new Uint8Array([1]), mediaType: 'image/png', model: 'm' } as const;

interface Surroundings {
  readonly measured?: Measured;
  readonly capability?: Partial<Generator['capability']>;
  readonly drawn?: Drawn | Error;
  /** Draws in place of what answers with `drawn`. */
  readonly generate?: Generator['generate'];
}

function drawing(around: Surroundings = {}) {
  const clock = createVirtualClock();
  const telemetry = createRecordedTelemetry();
  const library = createFakeImageLibrary();
  const asked: GeneratorRequest[] = [];
  const services: DrawServices = {
    modelFor: async () => ({
      name: 'fake',
      generator: {
        capability: { imageToImage: false, aspectRatios: [], ...around.capability },
        generate:
          around.generate ??
          (async (wanted) => {
            asked.push(wanted);
            await clock.sleep(700);
            if (around.drawn instanceof Error) throw around.drawn;
            return around.drawn ?? image;
          }),
      },
    }),
    bucket: library,
    codec: { measure: async () => around.measured ?? measured },
    clock,
    telemetry,
  };
  return {
    draw: (change: Partial<GenerationJob> = {}) =>
      clock.settle(drawWith(services, { ...aGenerationJob, ...change }, clock.nowMs() + 120_000)),
    clock,
    library,
    asked,
    telemetry,
  };
}

it('is a master whose own size is recorded', async () => {
  const { draw } = drawing();
  expect(await draw()).toMatchObject({
    outcome: 'image',
    size: { widthPx: 1344, heightPx: 768 },
    extension: 'png',
  });
});

it('is a failure of the generator when no rendition can be made of it', async () => {
  const { draw, telemetry } = drawing({ measured: { outcome: 'unusable', reason: 'moving' } });
  expect(await draw()).toEqual({
    outcome: 'none',
    why: 'upstream_unavailable',
    isUnbilled: false,
  });
  expect(telemetry.errors).toMatchObject([{ fields: { kind: 'malformed' } }]);
});

it.each([
  [true, new Uint8Array([7])],
  [false, undefined],
])('is a variation of its base where the generator starts from images: %s', async (starts, base) => {
  const { draw, library, asked } = drawing({ capability: { imageToImage: starts } });
  const basePath = libraryPath('private/a/01/master.png');
  await library.put(basePath, { bytes: new Uint8Array([7]), mediaType: 'image/png' });
  await draw({ order: { ...aGenerationJob.order, variation: 3 }, basePath });
  await draw({ basePath });
  expect(asked.map((each) => [each.variation, each.base])).toEqual([
    [3, base],
    [undefined, undefined],
  ]);
});

it('is asked for with the words, the style and the seed of the order, and timed', async () => {
  const { draw, asked, telemetry } = drawing();
  const timed = jest.spyOn(telemetry, 'time');
  await draw({ order: { ...aGenerationJob.order, variation: 3 } });
  expect(asked).toEqual([
    {
      ...promptFor('sea', 'photo', 3),
      ratio: '16:9',
      seed: 1,
      words: 'sea',
      style: 'photo',
      variation: 3,
    },
  ]);
  expect(timed.mock.calls).toEqual([['generatorLatency', 700, { generator: 'fake' }]]);
});

it('may take the time of the function, less what storing and finishing need', async () => {
  const abortedMs: number[] = [];
  const { draw, clock, telemetry } = drawing({
    generate: (_, signal) =>
      new Promise(() => signal.addEventListener('abort', () => abortedMs.push(clock.nowMs()))),
  });
  const startMs = clock.nowMs();
  expect(await draw()).toEqual({ outcome: 'none', why: 'upstream_unavailable', isUnbilled: false });
  expect(abortedMs).toEqual([startMs + 120_000 - settlingReserveMs]);
  expect(telemetry.errors).toMatchObject([{ fields: { kind: 'unavailable' } }]);
});

it.each<[string, Surroundings, string, boolean]>([
  ['of a kind that is not stored', { drawn: { ...image, mediaType: 'image/gif' } }, 'malformed', false],
  [
    'that a paid quota has no place for',
    { drawn: new GeneratorFailure('quota_exceeded', 'no') },
    'quota_exceeded',
    true,
  ],
  ['whose answer was lost', { drawn: new GeneratorFailure('unavailable', 'no') }, 'unavailable', false],
  [
    'that an outage has prevented',
    { drawn: new GeneratorFailure('unavailable', '503', { isUnbilled: true }) },
    'unavailable',
    true,
  ],
  ['that a fault has prevented', { drawn: new Error('no') }, 'fault', false],
])('is no image %s, and the log says so', async (_, around, kind, isUnbilled) => {
  const { draw, telemetry } = drawing(around);
  expect(await draw()).toEqual({ outcome: 'none', why: 'upstream_unavailable', isUnbilled });
  expect(telemetry.errors).toMatchObject([
    { message: 'The generator failed', fields: { generator: 'fake', kind } },
  ]);
});

it('is none that a filter has refused, which has cost a request', async () => {
  const { draw, telemetry } = drawing({ drawn: { outcome: 'refused', reason: 'filter' } });
  expect(await draw()).toEqual({ outcome: 'none', why: 'content_refused', isUnbilled: false });
  expect(telemetry.errors).toEqual([]);
});
