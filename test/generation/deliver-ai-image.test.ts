/** Renditions of an AI image: their paths, their work, and the outcomes without a rendition. */

import { FunctionBusy } from '../../lambda/aws/lambda';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { parseUlidTime } from '../../lambda/base/ids';
import { computeHourWindow } from '../../lambda/base/window';
import { type ImageKey, makeImageId } from '../../lambda/generation/ai-image-identity';
import type { AiImage } from '../../lambda/generation/ai-image-store';
import type { AiServices } from '../../lambda/generation/ai-services';
import { deliverAiImage } from '../../lambda/generation/deliver-ai-image';
import type { RenditionJob, RenditionOutcome } from '../../lambda/images/renderer-job';
import type { Limit } from '../../lambda/quota/limit';
import type { LabelledSize } from '../../lambda/requests/rendition';
import { createAiServices, createRenderer, storedMaster } from '../fakes/ai-services';
import { createVirtualClock } from '../fakes/clock';
import { createRecordedTelemetry } from '../fakes/telemetry';
import { makeImageKey, makeStoredPath } from '../fakes/values';

const key = makeImageKey(`G#live#acc#private#${'a'.repeat(64)}`);
const makeAiImage = (imageKey: ImageKey, masterPath: string): AiImage => ({
  key: imageKey,
  imageId: makeImageId(imageKey),
  state: 'ready',
  generationId: '01HF0000000000000000000000',
  master: { ...storedMaster, path: makeStoredPath(masterPath), model: 'm' },
});
const aiImage = makeAiImage(key, 'private/a/01/master.png');

const createDeliveries = (
  render: () => Promise<RenditionOutcome> = async () => ({ outcome: 'stored' }),
  parts: Partial<Pick<AiServices, 'aiLabel'>> = {},
  max = 100,
) => {
  const clock = createVirtualClock();
  const jobs: RenditionJob[] = [];
  const telemetry = createRecordedTelemetry();
  const renderer = createRenderer(async (job) => {
    jobs.push(job);
    return render();
  });
  const { services, limits } = createAiServices(clock, { telemetry, renderer, ...parts });
  const workLimit: Limit = {
    kind: 'work',
    owner: 'o',
    max,
    window: computeHourWindow(clock.nowMs()),
    unitName: 'work',
  };
  const deliverSize = (
    size: LabelledSize,
    format: 'webp' | 'avif' | 'jpeg' = 'webp',
    image = aiImage,
    instance: Partial<AiServices> = {},
  ) =>
    deliverAiImage({ ...services, ...instance }, image, size, {
      format,
      workLimits: [workLimit],
      requestId: 'r',
    });
  return {
    clock,
    jobs,
    telemetry,
    limits,
    deliverSize,
    listPaths: () => jobs.map(({ path }) => path),
    listLabels: () => jobs.map(({ label }) => label),
    readWork: () => limits.readUsedUnits(workLimit),
    /** Creates the empty memory of another instance. */
    createMemory: () => ({ renditions: createExpiringCache<object>(10) }),
    deliver: (widthPx: number, heightPx: number, format: 'webp' | 'avif' | 'jpeg' = 'webp') =>
      deliverSize({ widthPx, heightPx }, format),
  };
};

const size = { widthPx: 1, heightPx: 1 };
const attribution = {
  providerName: 'AI-generated',
  license: { id: 'ai-generated', name: 'AI-generated image' },
  creditLine: 'AI-generated image (m)',
};
const placeholder = { color: '#224466', dataUri: 'data:image/webp;base64,AAAA' };

test('a rendition names its model and the time of its generation', async () => {
  const { clock, jobs, deliver } = createDeliveries(async () => ({ outcome: 'stored', placeholder }));
  const delivered = await deliver(800, 450);
  expect(jobs).toEqual([
    {
      path: expect.stringContaining('800x450.webp'),
      source: { kind: 'stored', path: 'private/a/01/master.png' },
      widthPx: 800,
      heightPx: 450,
      format: 'webp',
      metadata: {
        creditLine: attribution.creditLine,
        aiGenerated: true,
        generatedBy: { model: 'm', createdMs: parseUlidTime(aiImage.generationId as string) },
      },
    },
  ]);
  expect(delivered).toEqual({
    outcome: 'served',
    cache: 'HIT',
    image: {
      location: expect.stringContaining(`https://images.example.org/${jobs[0]?.path}?Expires=`),
      locationEndsMs: clock.nowMs() + 3_600_000,
      widthPx: 800,
      heightPx: 450,
      source: 'ai',
      attribution,
      imageId: aiImage.imageId,
      pick: expect.any(String),
      placeholder,
    },
  });
  expect(await deliver(800, 450)).toEqual(delivered);
  const publicKey = makeImageKey(`G#live#acc#public#${'b'.repeat(64)}`);
  const publicImage = await createDeliveries().deliverSize(
    { widthPx: 8, heightPx: 8 },
    'avif',
    makeAiImage(publicKey, 'public/b/01/master.png'),
  );
  expect(publicImage).toMatchObject({ image: { location: expect.stringMatching(/8x8\.avif$/) } });
  expect(publicImage).not.toHaveProperty('image.locationEndsMs');
});

test('a rendition is known to every instance for a day', async () => {
  const { clock, listPaths, deliverSize, createMemory, limits } = createDeliveries(async () => ({
    outcome: 'stored',
    placeholder,
  }));
  for (const instance of [{}, {}, createMemory()])
    expect(await deliverSize(size, 'webp', aiImage, instance)).toMatchObject({ image: { placeholder } });
  expect(listPaths()).toHaveLength(1);
  const [note] = limits.memory.listItems('cache').values();
  expect(Number(note?.['ttl'])).toBe(clock.nowMs() / 1_000 + 86_400);
  await clock.advance(86_400_000);
  // The memory of the first instance has ended, too.
  await deliverSize(size);
  expect(listPaths()).toHaveLength(2);
});

test('if a rendition fails, the next request makes it', async () => {
  const render = async () => ({ outcome: 'stored' }) as const;
  const renderAfterFailure = jest.fn(render).mockRejectedValueOnce(new Error('broken'));
  const { deliver, listPaths, readWork } = createDeliveries(renderAfterFailure);
  expect(await deliver(1, 1)).toMatchObject({ refusal: { code: 'upstream_unavailable' } });
  expect(await deliver(1, 1)).toMatchObject({ outcome: 'served' });
  expect([listPaths().length, await readWork()]).toEqual([2, 2]);
});

test('a caller who has used up the work gets only renditions that exist', async () => {
  const { deliver, listPaths, createMemory, deliverSize } = createDeliveries(undefined, {}, 1);
  await deliver(1, 1);
  expect(await deliver(2, 2)).toMatchObject({ refusal: { code: 'rate_limited', kind: 'work' } });
  const knownRendition = await deliverSize(size, 'webp', aiImage, createMemory());
  expect(knownRendition).toMatchObject({ outcome: 'served' });
  expect(listPaths()).toHaveLength(1);
});

test('renditions of another width, height or format have another path', async () => {
  const { listPaths, deliver } = createDeliveries();
  await deliver(800, 450);
  await deliver(800, 600);
  await deliver(900, 450);
  await deliver(800, 450, 'avif');
  expect(new Set(listPaths()).size).toBe(4);
  await deliver(800, 600);
  expect(listPaths()).toHaveLength(4);
});

test('a rendition with a label has another path than one without', async () => {
  const labelledSize = { ...size, label: 'corner' } as const;
  const { listPaths, listLabels, deliverSize } = createDeliveries();
  await deliverSize(size);
  expect(await deliverSize(labelledSize)).toMatchObject({ image: { label: 'corner' } });
  expect([new Set(listPaths()).size, listLabels()]).toEqual([2, [undefined, 'corner']]);
  const labelled = createDeliveries(undefined, { aiLabel: 'corner' });
  const delivered = await labelled.deliverSize(size);
  await labelled.deliverSize(labelledSize);
  expect([labelled.listPaths(), labelled.listLabels()]).toEqual([listPaths().slice(1), ['corner']]);
  // The operator's label is on every image, so URLs need not ask for it.
  expect(delivered).not.toHaveProperty('image.label');
});

test('a missing master is logged and reported as gone', async () => {
  const { deliver, telemetry } = createDeliveries(async () => ({ outcome: 'gone' }));
  expect(await deliver(1, 1)).toEqual({ outcome: 'gone' });

  expect(telemetry.errors).toMatchObject([
    { message: 'A master is gone', fields: { path: expect.any(String) } },
  ]);
});

test('a request is told to try again only if the renderer is busy', async () => {
  const busy = createDeliveries(() => Promise.reject(new FunctionBusy('no free instance')));
  const refusal = { code: 'generation_in_progress', retryAfterS: 5 };
  expect(await busy.deliver(1, 1)).toEqual({ outcome: 'refused', refusal });
  expect(busy.telemetry.errors).toEqual([]);
  expect(busy.telemetry.counts).toContainEqual({ metric: 'overloads', dimensions: { reason: 'rendition' } });
  const broken = createDeliveries(() => Promise.reject(new Error('broken')));
  expect(await broken.deliver(1, 1)).toMatchObject({ refusal: { code: 'upstream_unavailable' } });
  expect(broken.telemetry.errors).toMatchObject([{ message: 'A rendition was not made' }]);
  const unusable = createDeliveries(async () => ({ outcome: 'unusable', reason: 'no image' }));
  expect(await unusable.deliver(1, 1)).toMatchObject({ refusal: { code: 'upstream_unavailable' } });
  expect(unusable.telemetry.errors).toMatchObject([{ error: { message: 'A master is unusable: no image' } }]);
});
