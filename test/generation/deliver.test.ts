/** Renditions of a generation: one path for each size and format, and an outcome for each way to have none. */

import type { AiLabel } from '../../lambda/contract/environment';
import { createRenditionService } from '../../lambda/generation/deliver';
import { RendererBusy } from '../../lambda/images/renderer';
import type { RenditionOutcome } from '../../lambda/images/renderer-answer';
import { imageKey } from '../fakes/branded';
import { readyGeneration } from '../fakes/ready-generation';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { cacheOf, delivery } from '../simulation/surroundings';

const key = imageKey(`G#live#acc#private#${'a'.repeat(64)}`);
const generation = readyGeneration(key, 'private/a/01/master.png');

const opened = (
  render: () => Promise<RenditionOutcome> = async () => ({ outcome: 'stored' }),
  isStored?: (path: string) => Promise<boolean>,
  aiLabel?: AiLabel,
) => {
  const made: string[] = [];
  const drawn: (string | undefined)[] = [];
  const telemetry = createRecordedTelemetry();
  const service = createRenditionService({
    renderer: {
      render: async ({ path, label }) => {
        made.push(path);
        drawn.push(label);
        return render();
      },
    },
    delivery,
    cache: cacheOf(),
    ...(isStored && { isStored }),
    ...(aiLabel && { aiLabel }),
    clock: { nowMs: () => 0, sleep: async () => undefined },
    telemetry,
  });
  return {
    made,
    drawn,
    service,
    telemetry,
    isMade: () => service.isMade(generation, { widthPx: 1, heightPx: 1 }, 'webp'),
    deliver: (widthPx: number, heightPx: number, format: 'webp' | 'avif' | 'jpeg' = 'webp') =>
      service.deliver(generation, { widthPx, heightPx }, format, 1_000),
  };
};

test('images that differ in width, height or format have paths of their own', async () => {
  const { made, deliver } = opened();
  await deliver(800, 450);
  await deliver(800, 600);
  await deliver(900, 450);
  await deliver(800, 450, 'avif');
  expect(new Set(made).size).toBe(4);
  await deliver(800, 600);
  expect(made).toHaveLength(4);
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
  expect([new Set(made).size, drawn]).toEqual([2, [undefined, 'corner']]);
  const forced = opened(undefined, undefined, 'corner');
  const shown = await forced.service.deliver(generation, size, 'webp', 1_000);
  expect(await forced.service.isMade(generation, labelled, 'webp')).toBe(true);
  expect([forced.made, forced.drawn]).toEqual([made.slice(1), ['corner']]);
  // Its URLs need not ask for what every image carries.
  expect(shown).not.toHaveProperty('image.label');
});

test('a rendition that is no longer stored is made again, where the store can be asked', async () => {
  let isThere = true;
  const { made, deliver, isMade } = opened(undefined, async () => isThere);
  await deliver(1, 1);
  expect(await isMade()).toBe(true);
  isThere = false;
  expect(await isMade()).toBe(false);
  await deliver(1, 1);
  expect(made).toHaveLength(2);
});

test('a master that is gone is reported as lost', async () => {
  expect(await opened(async () => ({ outcome: 'gone' })).deliver(1, 1)).toEqual({ outcome: 'lost' });
});

test('a busy renderer is a reason to ask again, a broken one is not', async () => {
  const busy = opened(() => Promise.reject(new RendererBusy('no free instance')));
  expect(await busy.deliver(1, 1)).toEqual({
    outcome: 'refused',
    refusal: { code: 'generation_in_progress', retryAfterS: 5 },
  });
  expect(busy.telemetry.errors).toEqual([]);
  expect(busy.telemetry.counts).toContainEqual({ metric: 'shed', dimensions: { reason: 'rendition' } });
  const broken = opened(() => Promise.reject(new Error('broken')));
  expect(await broken.deliver(1, 1)).toEqual({
    outcome: 'refused',
    refusal: { code: 'upstream_unavailable' },
  });
  expect(broken.telemetry.errors).toHaveLength(1);
});
