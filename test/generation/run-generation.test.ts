/** What a run of a generation job stores, settles, gives back and counts, by how each step ends. */

import type { DrawnMaster } from '../../lambda/generation/draw-master';
import type { GenerationIndex } from '../../lambda/generation/generation';
import type { GenerationJob } from '../../lambda/generation/generation-job';
import { createRunGeneration } from '../../lambda/generation/run-generation';
import type { Charges } from '../../lambda/quota/reservations';
import { imageKey } from '../fakes/branded';
import { createFakeIds } from '../fakes/ids';
import { createFakeImageLibrary } from '../fakes/image-library';
import { readyGeneration } from '../fakes/ready-generation';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';

/** Began on the last day of November, and ends in December. */
const execution = '01M8QEBHD00000000000000000';
const nowMs = Date.UTC(2026, 11, 1, 0, 1);
const key = imageKey(`G#live#owner#public#${'a'.repeat(64)}`);
const lease = { key, execution, fence: 3 };
const charge = { quotaKey: 'q', execution, cost: 1, prunable: ['old'] };
const job: GenerationJob = {
  lease,
  order: { words: 'mountain lake', style: 'photo', bucket: '16:9', seed: 7 },
  charge,
  counted: ['month', 'day', 'share'],
  similarityKey: 'S#1',
};
const image: DrawnMaster = {
  outcome: 'image',
  image: { bytes: new Uint8Array([1]), mediaType: 'image/png' },
  size: { widthPx: 1536, heightPx: 864 },
  model: 'm',
  extension: 'png',
};

interface Steps {
  readonly drawn?: DrawnMaster;
  readonly isClaimed?: boolean;
  readonly isStoreDown?: boolean;
  readonly finalized?: 'ready' | 'fenced';
  readonly ended?: 'failed' | 'ready' | 'fenced';
}

async function running(steps: Steps = {}, given = job) {
  const done: string[] = [];
  const finished: object[] = [];
  const telemetry = createRecordedTelemetry();
  const stored = createFakeImageLibrary();
  const index: Partial<GenerationIndex> = {
    claim: async () => (steps.isClaimed === false ? undefined : { ...readyGeneration(key, ''), tries: 2 }),
    finalize: async (_, written) => {
      done.push('finalize');
      finished.push(written);
      return steps.finalized ?? 'ready';
    },
    fail: async (_, { why, tries, notBeforeMs }) => {
      done.push(`fail ${why} ${tries} ${notBeforeMs - nowMs}`);
      return steps.ended ?? 'failed';
    },
    markSettled: async () => {
      done.push('mark settled');
      return true;
    },
  };
  const charges: Partial<Charges> = {
    refund: async ({ cost }, prunable) => {
      done.push(`refund ${cost} ${prunable}`);
      return 'settled';
    },
    commit: async ({ cost }, prunable) => {
      done.push(`commit ${cost} ${prunable}`);
      return 'settled';
    },
  };
  const run = createRunGeneration({
    index: index as GenerationIndex,
    charges: charges as Charges,
    library: {
      ...stored,
      put: async (path, content) => {
        if (steps.isStoreDown) throw new Error('no answer');
        done.push('store');
        return stored.put(path, content);
      },
    },
    draw: async () => {
      done.push('draw');
      return steps.drawn ?? image;
    },
    counters: {
      refund: async ({ counter, window }, id) => {
        expect(id).toBe(execution);
        const what = counter.kind === 'fair-use' ? `${counter.use} of ${counter.owner}` : counter.kind;
        done.push(`give back ${what} until ${new Date(window.endMs).toISOString()}`);
      },
    },
    clock: { nowMs: () => nowMs, sleep: async () => undefined },
    ids: createFakeIds(),
    telemetry,
  });
  await run(given, nowMs + 120_000);
  const outcomes = telemetry.counts.map(({ metric, dimensions }) => `${metric} ${dimensions?.['outcome']}`);
  return { done, finished, outcomes, errors: telemetry.errors, stored };
}

it('stores the master before the image is finished, and charges for it after', async () => {
  const { done, finished, outcomes } = await running();
  expect(done).toEqual(['draw', 'store', 'finalize', 'commit 1 old', 'mark settled']);
  expect(outcomes).toEqual(['generations ready']);
  expect(finished).toEqual([
    {
      master: {
        path: expect.stringMatching(new RegExp(`/${execution}/master\\.png$`)),
        model: 'm',
        widthPx: 1536,
        heightPx: 864,
      },
      charged: true,
      nowMs,
      listing: { similarityKey: 'S#1', listedAt: execution },
    },
  ]);
});

it('lists no image that is known by no words, and charges nothing for a free one', async () => {
  const { similarityKey: _, ...unlisted } = job;
  const { done, finished } = await running({}, { ...unlisted, charge: { ...charge, cost: 0 } });
  expect(done).toEqual(['draw', 'store', 'finalize', 'commit 0 old']);
  expect(finished).toEqual([expect.objectContaining({ charged: false })]);
  expect(finished[0]).not.toHaveProperty('listing');
});

it('does nothing where another run has the job', async () => {
  expect((await running({ isClaimed: false })).done).toEqual([]);
});

it('discards what was drawn too late', async () => {
  const { done, outcomes, stored } = await running({ finalized: 'fenced' });
  expect(done).toEqual(['draw', 'store', 'finalize', 'refund 1 old']);
  expect(outcomes).toEqual(['generations fenced']);
  expect(stored.images.size).toBe(0);
});

const counted = [
  'give back generations of live#owner until 2026-12-01T00:00:00.000Z',
  'give back generations of all until 2026-12-01T00:00:00.000Z',
  'give back generation-share of live#owner until 2026-12-01T00:00:00.000Z',
];

it.each<[string, Steps, readonly string[]]>([
  ['a model that failed', { drawn: { outcome: 'none', why: 'upstream_unavailable' } }, counted],
  [
    'a prompt that was refused, which has cost a request',
    { drawn: { outcome: 'none', why: 'content_refused' } },
    [],
  ],
  [
    'an execution that another has ended',
    { drawn: { outcome: 'none', why: 'upstream_unavailable' }, ended: 'fenced' },
    [],
  ],
])(
  'gives the ceilings back in the windows in which they were counted, or not: %s',
  async (_, steps, back) => {
    const { done, outcomes } = await running(steps);
    const why = steps.drawn?.outcome === 'none' ? steps.drawn.why : '';
    const pauseMs = why === 'content_refused' ? 3_600_000 : 20_000;
    expect(done).toEqual(['draw', `fail ${why} 3 ${pauseMs}`, 'refund 1 old', ...back]);
    expect(outcomes).toEqual([`generations ${why}`]);
  },
);

it('ends an execution whose master could not be stored', async () => {
  const { done, errors } = await running({ isStoreDown: true });
  expect(done).toEqual(['draw', 'fail upstream_unavailable 3 20000', 'refund 1 old']);
  expect(errors).toMatchObject([
    { message: 'A master could not be stored', error: { message: 'no answer' } },
  ]);
});
