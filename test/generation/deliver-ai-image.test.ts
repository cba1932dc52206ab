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
const generationOf = (of: ImageKey, masterPath: string): AiImage => ({
  key: of,
  imageId: makeImageId(of),
  state: 'ready',
  generationId: '01HF0000000000000000000000',
  master: { ...storedMaster, path: makeStoredPath(masterPath), model: 'm' },
});
const aiImage = generationOf(key, 'private/a/01/master.png');

const deliveryBench = (
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
  const work: Limit = {
    kind: 'work',
    owner: 'o',
    max,
    window: computeHourWindow(clock.nowMs()),
    counts: 'work',
  };
  const deliverIn = (
    size: LabelledSize,
    format: 'webp' | 'avif' | 'jpeg' = 'webp',
    of = aiImage,
    instance: Partial<AiServices> = {},
  ) =>
    deliverAiImage({ ...services, ...instance }, of, size, {
      format,
      workLimits: [work],
      requestId: 'r',
    });
  return {
    clock,
    jobs,
    telemetry,
    limits,
    deliverIn,
    made: () => jobs.map(({ path }) => path),
    drawn: () => jobs.map(({ label }) => label),
    used: () => limits.readUsed(work),
    /** The memory of another instance, which is empty. */
    elsewhere: () => ({ renditions: createExpiringCache<object>(10) }),
    deliver: (widthPx: number, heightPx: number, format: 'webp' | 'avif' | 'jpeg' = 'webp') =>
      deliverIn({ widthPx, heightPx }, format),
  };
};

const size = { widthPx: 1, heightPx: 1 };
const credit = {
  providerName: 'AI-generated',
  license: { id: 'ai-generated', name: 'AI-generated image' },
  creditLine: 'AI-generated image (m)',
};
const placeholder = { color: '#224466', dataUri: 'data:image/webp;base64,AAAA' };

test('a rendition names its model and the time of its generation', async () => {
  const { clock, jobs, deliver } = deliveryBench(async () => ({ outcome: 'stored', placeholder }));
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
        generatedBy: { model: 'm', createdMs: parseUlidTime(aiImage.generationId as string) },
      },
    },
  ]);
  expect(first).toEqual({
    outcome: 'served',
    cache: 'HIT',
    image: {
      location: expect.stringContaining(`https://images.example.org/${jobs[0]?.path}?Expires=`),
      locationEndsMs: clock.nowMs() + 3_600_000,
      widthPx: 800,
      heightPx: 450,
      source: 'ai',
      attribution: credit,
      imageId: aiImage.imageId,
      pick: expect.any(String),
      placeholder,
    },
  });
  expect(await deliver(800, 450)).toEqual(first);
  const open = makeImageKey(`G#live#acc#public#${'b'.repeat(64)}`);
  const shown = await deliveryBench().deliverIn(
    { widthPx: 8, heightPx: 8 },
    'avif',
    generationOf(open, 'public/b/01/master.png'),
  );
  expect(shown).toMatchObject({ image: { location: expect.stringMatching(/8x8\.avif$/) } });
  expect(shown).not.toHaveProperty('image.locationEndsMs');
});

test('a rendition is known to every instance for a day', async () => {
  const { clock, made, deliverIn, elsewhere, limits } = deliveryBench(async () => ({
    outcome: 'stored',
    placeholder,
  }));
  for (const instance of [{}, {}, elsewhere()])
    expect(await deliverIn(size, 'webp', aiImage, instance)).toMatchObject({ image: { placeholder } });
  expect(made()).toHaveLength(1);
  const [note] = limits.memory.listItems('cache').values();
  expect(Number(note?.['ttl'])).toBe(clock.nowMs() / 1_000 + 86_400);
  await clock.advance(86_400_000);
  // The memory of the first instance has ended, too.
  await deliverIn(size);
  expect(made()).toHaveLength(2);
});

test('if a rendition fails, the next request makes it', async () => {
  const render = async () => ({ outcome: 'stored' }) as const;
  const failingOnce = jest.fn(render).mockRejectedValueOnce(new Error('broken'));
  const { deliver, made, used } = deliveryBench(failingOnce);
  expect(await deliver(1, 1)).toMatchObject({ refusal: { code: 'upstream_unavailable' } });
  expect(await deliver(1, 1)).toMatchObject({ outcome: 'served' });
  expect([made().length, await used()]).toEqual([2, 2]);
});

test('a caller who has used up the work gets only renditions that exist', async () => {
  const { deliver, made, elsewhere, deliverIn } = deliveryBench(undefined, {}, 1);
  await deliver(1, 1);
  expect(await deliver(2, 2)).toMatchObject({ refusal: { code: 'rate_limited', kind: 'work' } });
  const known = await deliverIn(size, 'webp', aiImage, elsewhere());
  expect(known).toMatchObject({ outcome: 'served' });
  expect(made()).toHaveLength(1);
});

test('renditions of another width, height or format have another path', async () => {
  const { made, deliver } = deliveryBench();
  await deliver(800, 450);
  await deliver(800, 600);
  await deliver(900, 450);
  await deliver(800, 450, 'avif');
  expect(new Set(made()).size).toBe(4);
  await deliver(800, 600);
  expect(made()).toHaveLength(4);
});

test('a rendition with a label has another path than one without', async () => {
  const labelled = { ...size, label: 'corner' } as const;
  const { made, drawn, deliverIn } = deliveryBench();
  await deliverIn(size);
  expect(await deliverIn(labelled)).toMatchObject({ image: { label: 'corner' } });
  expect([new Set(made()).size, drawn()]).toEqual([2, [undefined, 'corner']]);
  const forced = deliveryBench(undefined, { aiLabel: 'corner' });
  const shown = await forced.deliverIn(size);
  await forced.deliverIn(labelled);
  expect([forced.made(), forced.drawn()]).toEqual([made().slice(1), ['corner']]);
  // The operator's label is on every image, so URLs need not ask for it.
  expect(shown).not.toHaveProperty('image.label');
});

test('a missing master is logged and reported as gone', async () => {
  const { deliver, telemetry } = deliveryBench(async () => ({ outcome: 'gone' }));
  expect(await deliver(1, 1)).toEqual({ outcome: 'gone' });
  const fields = { path: expect.any(String) };
  expect(telemetry.errors).toMatchObject([{ message: 'A master is gone', fields }]);
});

test('a request is told to try again only if the renderer is busy', async () => {
  const busy = deliveryBench(() => Promise.reject(new FunctionBusy('no free instance')));
  const refusal = { code: 'generation_in_progress', retryAfterS: 5 };
  expect(await busy.deliver(1, 1)).toEqual({ outcome: 'refused', refusal });
  expect(busy.telemetry.errors).toEqual([]);
  expect(busy.telemetry.counts).toContainEqual({ metric: 'overloads', dimensions: { reason: 'rendition' } });
  const broken = deliveryBench(() => Promise.reject(new Error('broken')));
  expect(await broken.deliver(1, 1)).toMatchObject({ refusal: { code: 'upstream_unavailable' } });
  expect(broken.telemetry.errors).toMatchObject([{ message: 'A rendition was not made' }]);
  const unusable = deliveryBench(async () => ({ outcome: 'unusable', reason: 'no image' }));
  expect(await unusable.deliver(1, 1)).toMatchObject({ refusal: { code: 'upstream_unavailable' } });
  expect(unusable.telemetry.errors).toMatchObject([{ error: { message: 'A master is unusable: no image' } }]);
});
