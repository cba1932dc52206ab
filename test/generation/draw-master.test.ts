/** What a generator is asked for and how long it may take, and what becomes of the bytes that it answers with. */

import type { CounterWindow } from '../../lambda/base/item-store';
import { settlingReserveMs } from '../../lambda/contract/timeouts';
import { createDrawMaster } from '../../lambda/generation/draw-master';
import type { GenerationJob } from '../../lambda/generation/generation-job';
import {
  type Drawn,
  type Generator,
  GeneratorFailure,
  type GeneratorRequest,
} from '../../lambda/generation/generator';
import { promptFor } from '../../lambda/generation/prompt';
import type { Measured } from '../../lambda/images/image-codec';
import { refusedPromptsOf } from '../../lambda/quota/fair-use';
import type { Limit } from '../../lambda/quota/quota';
import { aGenerationJob } from '../fakes/ai';
import { libraryPath } from '../fakes/branded';
import { createFakeIds } from '../fakes/ids';
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
  readonly isTurn?: boolean;
  readonly isCounted?: boolean;
}

function drawing(around: Surroundings = {}) {
  const clock = createVirtualClock();
  const telemetry = createRecordedTelemetry();
  const library = createFakeImageLibrary();
  const asked: GeneratorRequest[] = [];
  const turns: (readonly [string, ...CounterWindow[]])[] = [];
  const counted: Limit[] = [];
  const draw = createDrawMaster({
    turns: {
      take: async (model, _, shares) => {
        turns.push([model, ...shares]);
        return around.isTurn ?? true;
      },
    },
    generatorFor: async () => ({
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
    counters: {
      charge: async (limit) => {
        if (around.isCounted === false) throw new Error('no answer');
        counted.push(limit);
        return { outcome: 'charged', taken: 1 };
      },
    },
    library,
    codec: { measure: async () => around.measured ?? measured },
    clock,
    ids: createFakeIds(),
    telemetry,
  });
  return {
    draw: (change: Partial<GenerationJob> = {}) =>
      clock.settle(draw({ ...aGenerationJob, ...change }, clock.nowMs() + 120_000)),
    clock,
    library,
    asked,
    turns,
    counted,
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
  expect(await draw()).toEqual({ outcome: 'none', why: 'upstream_unavailable' });
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

it('may take the time of the function, less what storing and settling need', async () => {
  const abortedMs: number[] = [];
  const { draw, clock, telemetry } = drawing({
    generate: (_, signal) =>
      new Promise(() => signal.addEventListener('abort', () => abortedMs.push(clock.nowMs()))),
  });
  const startMs = clock.nowMs();
  expect(await draw()).toEqual({ outcome: 'none', why: 'upstream_unavailable' });
  expect(abortedMs).toEqual([startMs + 120_000 - settlingReserveMs]);
  expect(telemetry.errors).toMatchObject([{ fields: { kind: 'unavailable' } }]);
});

it.each<[string, Surroundings, string]>([
  ['of a kind that is not stored', { drawn: { ...image, mediaType: 'image/gif' } }, 'malformed'],
  [
    'that a paid quota has no place for',
    { drawn: new GeneratorFailure('quota_exceeded', 'no') },
    'quota_exceeded',
  ],
  ['that a fault has prevented', { drawn: new Error('no') }, 'fault'],
])('is no image %s, and the log says so', async (_, around, kind) => {
  const { draw, counted, telemetry } = drawing(around);
  expect(await draw()).toEqual({ outcome: 'none', why: 'upstream_unavailable' });
  expect(telemetry.errors).toMatchObject([
    { message: 'The generator failed', fields: { generator: 'fake', kind } },
  ]);
  expect(counted).toEqual([]);
});

it.each([true, false])(
  'is none that a filter has refused, which its account is counted (%s)',
  async (isCounted) => {
    const { draw, clock, counted, telemetry } = drawing({
      drawn: { outcome: 'refused', reason: 'filter' },
      isCounted,
    });
    expect(await draw()).toEqual({ outcome: 'none', why: 'content_refused' });
    expect(counted).toEqual(isCounted ? [refusedPromptsOf('live#acc_1', clock.nowMs())] : []);
    expect(telemetry.errors).toHaveLength(isCounted ? 0 : 1);
  },
);

const charge = { quotaKey: 'q', execution: 'EX', cost: 1, prunable: [] };
it.each<[string, Partial<GenerationJob>, readonly string[]]>([
  ['a charged one', { charge }, ['all', 'of#live#acc_1']],
  ['a free one', { charge: { ...charge, cost: 0 } }, ['all', 'of#live#acc_1', 'free']],
  ['one without a charge', {}, ['all', 'of#live#acc_1', 'free']],
])('waits for its turn at the model within the share of its account: %s', async (_, change, shares) => {
  const { draw, turns } = drawing({ capability: { requestsPerMinute: 10 } });
  await draw(change);
  expect(turns.map(([model, ...taken]) => [model, ...taken.map(({ name }) => name)])).toEqual([
    ['fake', ...shares],
  ]);
});

it('is not asked for where the model is busy until the deadline', async () => {
  const { draw, asked, telemetry } = drawing({ capability: { requestsPerMinute: 10 }, isTurn: false });
  expect(await draw()).toEqual({ outcome: 'none', why: 'upstream_unavailable' });
  expect([asked, telemetry.errors]).toEqual([[], []]);
});
