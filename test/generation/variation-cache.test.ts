/** A variation is a MISS for the one request that had the variation itself made; the one that had its base made has paid. */

import type { DeliveryOutcome } from '../../lambda/generation/deliver';
import { createLedger } from '../../lambda/quota/ledger';
import { rateLimitStatusOf } from '../../lambda/quota/quota';
import { aiCaller, aiRequest } from '../fakes/ai';
import { createFakeQuotaCounters } from '../fakes/quota-counters';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aContext } from '../fakes/request-context';
import { servedGeneration as generation, serveAiWith, servedMs } from '../fakes/serve-ai';
import { anImage } from '../fakes/stock';
import { createVirtualClock } from '../fakes/virtual-clock';

const delivered: DeliveryOutcome = { outcome: 'delivered', image: anImage };

function opened(base: boolean, variation: boolean, delivery: DeliveryOutcome = delivered) {
  const context = aContext(aiCaller, servedMs);
  const clock = createVirtualClock(servedMs);
  const telemetry = createRecordedTelemetry();
  const payment = { state: 'owed', rateLimit: rateLimitStatusOf(context.quota, 1) } as const;
  const claimed: string[] = [];
  const serve = serveAiWith({
    index: {
      read: async () => undefined,
      takeDelivery: async (_, requestId) => Boolean(claimed.push(requestId)),
    },
    make: async ({ isFree }) =>
      isFree
        ? { outcome: 'ready', generation, led: variation }
        : { outcome: 'ready', generation, led: base, ...(base && { payment }) },
    renditions: { isMade: async () => true, deliver: async () => delivery },
    ledger: createLedger({ counters: createFakeQuotaCounters(), clock, telemetry }),
  });
  const ask = () => serve({ ...aiRequest, variation: 3 }, aiCaller, context);
  return { ask, context, payment, claimed };
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
