/** A variation is a MISS for the one request that had the variation itself made; the one that had its base made has paid. */

import { defaultPlans } from '../../lambda/contract/plans';
import type { DeliveryOutcome, RenditionService } from '../../lambda/generation/deliver';
import type { GenerationIndex } from '../../lambda/generation/generation';
import { createServeAi } from '../../lambda/generation/serve-ai';
import { createLedger } from '../../lambda/quota/ledger';
import { rateLimitStatusOf } from '../../lambda/quota/quota';
import type { Charges } from '../../lambda/quota/reservations';
import { aiCaller, aiRequest } from '../fakes/ai';
import { deliveryUrl, imageKey } from '../fakes/branded';
import { createFakeQuotaCounters } from '../fakes/quota-counters';
import { readyGeneration } from '../fakes/ready-generation';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aContext } from '../fakes/request-context';
import { anImage } from '../fakes/stock';
import { createVirtualClock } from '../fakes/virtual-clock';

const nowMs = Date.UTC(2026, 10, 21, 12);
const key = imageKey(`G#live#acc#private#${'a'.repeat(64)}`);
const generation = readyGeneration(key, 'masters/a/01/master.png');
const request = { ...aiRequest, variation: 3 };

const image = { ...anImage, location: deliveryUrl('https://cdn.example/a.webp') };
const delivered: DeliveryOutcome = { outcome: 'delivered', image };

function opened(base: boolean, variation: boolean, delivery: DeliveryOutcome = delivered) {
  const context = aContext(aiCaller, nowMs);
  const clock = createVirtualClock(nowMs);
  const telemetry = createRecordedTelemetry();
  const payment = { state: 'owed', rateLimit: rateLimitStatusOf(context.quota, 1) } as const;
  const claimed: string[] = [];
  const serve = createServeAi({
    index: {
      read: async () => undefined,
      takeDelivery: async (_: unknown, requestId: string) => Boolean(claimed.push(requestId)),
    } as unknown as GenerationIndex,
    charges: {} as Charges,
    make: async ({ isFree }) =>
      isFree
        ? { outcome: 'ready', generation, led: variation }
        : { outcome: 'ready', generation, led: base, ...(base && { payment }) },
    renditions: {
      isMade: async () => true,
      deliver: async () => delivery,
    } as RenditionService,
    ledger: createLedger({ counters: createFakeQuotaCounters(), clock, telemetry }),
    plans: defaultPlans,
    generationsPerDay: undefined,
    testKeysGenerate: false,
    clock,
    telemetry,
  });
  return { ask: () => serve(request, aiCaller, context), context, payment, claimed };
}

test.each([
  { base: true, variation: false, cache: 'HIT' },
  { base: false, variation: true, cache: 'MISS' },
  { base: true, variation: true, cache: 'MISS' },
  { base: false, variation: false, cache: 'HIT' },
])('base made: $base, variation made: $variation → $cache', async ({ base, variation, cache }) => {
  const { ask, context, payment, claimed } = opened(base, variation);
  expect(await ask()).toMatchObject({
    outcome: 'served',
    cache,
    payment: base ? payment : { state: 'free', because: 'variation' },
  });
  expect(claimed).toEqual(base ? [context.requestId] : []);
});

test('a variation that was not delivered leaves its base the delivery that was paid for', async () => {
  const { ask, claimed } = opened(true, true, {
    outcome: 'refused',
    refusal: { code: 'upstream_unavailable' },
  });
  expect(await ask()).toMatchObject({ outcome: 'refused' });
  expect(claimed).toEqual([]);
});
