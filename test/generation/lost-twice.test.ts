/** A request whose image is lost, made again and lost again says whether a charge of it stands. */

import { defaultPlans } from '../../lambda/contract/plans';
import type { RenditionService } from '../../lambda/generation/deliver';
import type { Generation, GenerationIndex } from '../../lambda/generation/generation';
import { createServeAi } from '../../lambda/generation/serve-ai';
import { quotaOf, rateLimitStatusOf } from '../../lambda/quota/quota';
import type { Charges } from '../../lambda/quota/reservations';
import { aiCaller, aiRequest } from '../fakes/ai';
import { imageKey } from '../fakes/branded';
import { readyGeneration } from '../fakes/ready-generation';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aContext, generousLedger } from '../fakes/request-context';
import { anImage } from '../fakes/stock';
import { createVirtualClock } from '../fakes/virtual-clock';

const nowMs = Date.UTC(2026, 10, 21, 12);
const key = imageKey(`G#live#acc_1#private#${'a'.repeat(64)}`);
const generation = readyGeneration(key, 'masters/a/01/master.png');

test.each([
  { refunds: [true, true], state: 'refunded' },
  { refunds: [true, false], state: 'owed' },
  { refunds: [false], state: 'owed' },
])('refunds that went through: $refunds → $state', async ({ refunds, state }) => {
  const left = [...refunds];
  const quota = quotaOf(aiCaller, '', defaultPlans, nowMs);
  const rateLimit = rateLimitStatusOf(quota, 1);
  const serve = createServeAi({
    index: { markLost: async () => true } as unknown as GenerationIndex,
    charges: {} as Charges,
    make: async () => ({ outcome: 'ready', generation, led: false }),
    renditions: { deliver: async () => ({ outcome: 'lost' }) } as unknown as RenditionService,
    ledger: {
      ...generousLedger(rateLimit),
      refund: async (_, payment) =>
        payment.state === 'charged' ? { state: left.shift() ? 'refunded' : 'owed', rateLimit } : payment,
    },
    plans: defaultPlans,
    generationsPerDay: undefined,
    testKeysGenerate: false,
    clock: createVirtualClock(nowMs),
    telemetry: createRecordedTelemetry(),
  });
  const answer = await serve(aiRequest, aiCaller, aContext(aiCaller, nowMs));
  expect(answer).toMatchObject({
    outcome: 'refused',
    refusal: { code: 'upstream_unavailable' },
    payment: { state },
  });
});

test('an image of others that is lost gives way to the next one, though the listing still holds it', async () => {
  const quota = quotaOf(aiCaller, '', defaultPlans, nowMs);
  const [lost, next] = ['b', 'c'].map((digit) =>
    readyGeneration(imageKey(`G#live#acc_2#public#${digit.repeat(64)}`), `masters/${digit}/01/master.png`),
  ) as [Generation, Generation];
  const ended: string[] = [];
  const serve = createServeAi({
    index: {
      publicOf: async () => [{ ...lost, due: true }, next],
      markLost: async () => Boolean(ended.push('lost')),
      takeDelivery: async () => Boolean(ended.push('taken')),
    } as Partial<GenerationIndex> as GenerationIndex,
    charges: {} as Charges,
    make: () => Promise.reject(new Error('It is there')),
    renditions: {
      isMade: async () => true,
      deliver: async ({ key: of }) =>
        of === lost.key ? { outcome: 'lost' } : { outcome: 'delivered', image: { ...anImage, imageId: of } },
    },
    ledger: generousLedger(rateLimitStatusOf(quota, 1)),
    plans: defaultPlans,
    generationsPerDay: undefined,
    testKeysGenerate: false,
    clock: createVirtualClock(nowMs),
    telemetry: createRecordedTelemetry(),
  });
  expect(await serve({ ...aiRequest, alt: 1 }, aiCaller, aContext(aiCaller, nowMs))).toMatchObject({
    outcome: 'served',
    image: { imageId: next.key },
    payment: { state: 'free', because: 'alternative' },
  });
  // What its account has paid for stays due.
  expect(ended).toEqual([]);
});
