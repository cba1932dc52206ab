/** Renditions of a generation: one path for each size and format, and an outcome for each way to have none. */

import type { Cache } from '../../lambda/base/item-store';
import { timeOfUlid } from '../../lambda/base/ulid';
import type { AiLabel } from '../../lambda/contract/environment';
import { createRenditionService } from '../../lambda/generation/deliver';
import { RendererBusy } from '../../lambda/images/renderer';
import type { RenditionJob, RenditionOutcome } from '../../lambda/images/renderer-job';
import { imageKey } from '../fakes/branded';
import { readyGeneration } from '../fakes/ready-generation';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { cacheOf, delivery } from '../simulation/surroundings';

const key = imageKey(`G#live#acc#private#${'a'.repeat(64)}`);
const generation = readyGeneration(key, 'private/a/01/master.png');

interface Surroundings {
  readonly render?: () => Promise<RenditionOutcome>;
  readonly isStored?: (path: string) => Promise<boolean>;
  readonly aiLabel?: AiLabel;
  readonly cache?: Pick<Cache, 'read' | 'write'>;
  readonly nowMs?: () => number;
}

const opened = ({
  render = async () => ({ outcome: 'stored' }),
  cache = cacheOf(),
  isStored,
  aiLabel = 'off',
  nowMs = () => 0,
  ...others
}: Surroundings = {}) => {
  const jobs: RenditionJob[] = [];
  const telemetry = createRecordedTelemetry();
  const service = createRenditionService({
    renderer: {
      render: async (job) => {
        jobs.push(job);
        return render();
      },
    },
    delivery,
    cache,
    isStored,
    aiLabel,
    ...others,
    clock: { nowMs, sleep: async () => undefined },
    telemetry,
  });
  return {
    jobs,
    made: () => jobs.map(({ path }) => path),
    drawn: () => jobs.map(({ label }) => label),
    service,
    telemetry,
    isMade: () => service.isMade(generation, { widthPx: 1, heightPx: 1 }, 'webp'),
    deliver: (widthPx: number, heightPx: number, format: 'webp' | 'avif' | 'jpeg' = 'webp') =>
      service.deliver(generation, { widthPx, heightPx }, format, 1_000),
  };
};

const credit = {
  providerName: 'AI-generated',
  license: { id: 'ai-generated', name: 'AI-generated image' },
  creditLine: 'AI-generated image (m)',
};
const placeholder = { color: '#224466', dataUri: 'data:image/webp;base64,AAAA' };

test('an image is rendered from its master, says that it is drawn, by what and when, and keeps its placeholder', async () => {
  const { jobs, deliver } = opened({ render: async () => ({ outcome: 'stored', placeholder }) });
  const first = await deliver(800, 450);
  expect(jobs).toEqual([
    {
      path: expect.stringContaining('800x450.webp'),
      source: { kind: 'stored', path: 'private/a/01/master.png' },
      widthPx: 800,
      heightPx: 450,
      format: 'webp',
      metadata: {
        creditLine: credit.creditLine,
        aiGenerated: true,
        generatedBy: { model: 'm', createdMs: timeOfUlid('01') },
      },
    },
  ]);
  expect(first).toEqual({
    outcome: 'delivered',
    image: {
      location: `signed:${jobs[0]?.path}`,
      locationEndsMs: 3_600_000,
      widthPx: 800,
      heightPx: 450,
      source: 'ai',
      attribution: credit,
      imageId: generation.imageId,
      pick: expect.any(String),
      placeholder,
    },
  });
  expect(await deliver(800, 450)).toEqual(first);
  const open = imageKey(`G#live#acc#public#${'b'.repeat(64)}`);
  const { service } = opened();
  const shown = await service.deliver(
    readyGeneration(open, 'public/b/01/master.png'),
    { widthPx: 8, heightPx: 8 },
    'avif',
    1,
  );
  expect(shown).toMatchObject({ image: { location: expect.stringMatching(/^open:.*8x8\.avif$/) } });
  expect(shown).not.toHaveProperty('image.locationEndsMs');
});

test('what was made is known to other instances for a day, with its placeholder', async () => {
  const cache = cacheOf();
  const first = await opened({ render: async () => ({ outcome: 'stored', placeholder }), cache }).deliver(
    1,
    1,
  );
  const dayMs = 86_400_000;
  let nowMs = dayMs - 1;
  const other = opened({ cache, nowMs: () => nowMs });
  expect(await other.isMade()).toBe(true);
  expect(await other.deliver(1, 1)).toMatchObject({ image: { placeholder } });
  expect(other.made()).toEqual([]);
  expect(first).toMatchObject({ image: { placeholder } });
  nowMs = dayMs;
  for (const each of [other, opened({ cache, nowMs: () => nowMs })]) expect(await each.isMade()).toBe(false);
});

test('an image is served, and not made again by this instance, though it could not be noted', async () => {
  const cache = { ...cacheOf(), write: () => Promise.reject(new Error('throttled')) };
  const { made, deliver, telemetry } = opened({ cache });
  for (let i = 0; i < 2; i++) expect(await deliver(1, 1)).toMatchObject({ outcome: 'delivered' });
  expect(made()).toHaveLength(1);
  expect(telemetry.errors).toMatchObject([{ message: 'A rendition could not be noted' }]);
});

test('images that differ in width, height or format have paths of their own', async () => {
  const { made, deliver } = opened();
  await deliver(800, 450);
  await deliver(800, 600);
  await deliver(900, 450);
  await deliver(800, 450, 'avif');
  expect(new Set(made()).size).toBe(4);
  await deliver(800, 600);
  expect(made()).toHaveLength(4);
});

test('a label is drawn into a rendition of its own, where a request or the operator asks for it', async () => {
  const size = { widthPx: 800, heightPx: 450 };
  const labelled = { ...size, label: 'corner' } as const;
  const { made, drawn, service } = opened();
  await service.deliver(generation, size, 'webp', 1_000);
  expect(await service.isMade(generation, labelled, 'webp')).toBe(false);
  expect(await service.deliver(generation, labelled, 'webp', 1_000)).toMatchObject({
    image: { label: 'corner' },
  });
  expect([new Set(made()).size, drawn()]).toEqual([2, [undefined, 'corner']]);
  const forced = opened({ aiLabel: 'corner' });
  const shown = await forced.service.deliver(generation, size, 'webp', 1_000);
  expect(await forced.service.isMade(generation, labelled, 'webp')).toBe(true);
  expect([forced.made(), forced.drawn()]).toEqual([made().slice(1), ['corner']]);
  // Its URLs need not ask for what every image carries.
  expect(shown).not.toHaveProperty('image.label');
});

test('a rendition that is no longer stored is made again, where the store can be asked', async () => {
  let isThere = true;
  const { made, deliver, isMade } = opened({ isStored: async () => isThere });
  await deliver(1, 1);
  expect(await isMade()).toBe(true);
  isThere = false;
  expect(await isMade()).toBe(false);
  await deliver(1, 1);
  expect(made()).toHaveLength(2);
});

test('a master that is gone is reported as lost', async () => {
  const { deliver, telemetry } = opened({ render: async () => ({ outcome: 'gone' }) });
  expect(await deliver(1, 1)).toEqual({ outcome: 'lost' });
  expect(telemetry.errors).toMatchObject([
    { message: 'A master is gone', fields: { imageId: generation.imageId } },
  ]);
});

test('a busy renderer is a reason to ask again, a broken one is not', async () => {
  const busy = opened({ render: () => Promise.reject(new RendererBusy('no free instance')) });
  expect(await busy.deliver(1, 1)).toEqual({
    outcome: 'refused',
    refusal: { code: 'generation_in_progress', retryAfterS: 5 },
  });
  expect(busy.telemetry.errors).toEqual([]);
  expect(busy.telemetry.counts).toContainEqual({ metric: 'shed', dimensions: { reason: 'rendition' } });
  const broken = opened({ render: () => Promise.reject(new Error('broken')) });
  expect(await broken.deliver(1, 1)).toEqual({
    outcome: 'refused',
    refusal: { code: 'upstream_unavailable' },
  });
  expect(broken.telemetry.errors).toMatchObject([{ fields: { imageId: generation.imageId } }]);
  const unusable = opened({ render: async () => ({ outcome: 'unusable', reason: 'no image' }) });
  expect(await unusable.deliver(1, 1)).toMatchObject({ refusal: { code: 'upstream_unavailable' } });
  expect(unusable.telemetry.errors).toMatchObject([{ error: { message: 'A master is unusable: no image' } }]);
});
