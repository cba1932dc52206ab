/** Renditions of a generation: one path for each size and format, and an outcome for each way to have none. */

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
) => {
  const made: string[] = [];
  const telemetry = createRecordedTelemetry();
  const service = createRenditionService({
    renderer: {
      render: async ({ path }) => {
        made.push(path);
        return render();
      },
    },
    delivery,
    cache: cacheOf(),
    ...(isStored && { isStored }),
    clock: { nowMs: () => 0, sleep: async () => undefined },
    telemetry,
  });
  return {
    made,
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
