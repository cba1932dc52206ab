/** A request whose image is lost, made again and lost again says whether a charge of it stands. */

import { defaultPlans } from '../../lambda/contract/plans';
import type { RenditionService } from '../../lambda/generation/deliver';
import type { GenerationIndex } from '../../lambda/generation/generation-index';
import { createServeAi } from '../../lambda/generation/serve-ai';
import type { Charges } from '../../lambda/quota/charges';
import { allowanceOf, rateLimitStatusOf } from '../../lambda/quota/quota';
import { aiCaller, aiRequest } from '../fakes/ai';
import { imageKey } from '../fakes/branded';
import { readyGeneration } from '../fakes/ready-generation';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { createVirtualClock } from '../fakes/virtual-clock';

const nowMs = Date.UTC(2026, 10, 21, 12);
const key = imageKey(`G#live#acc_1#private#${'a'.repeat(64)}`);
const generation = readyGeneration(key, 'masters/a/01/master.png');

test.each([
  { refunds: [true, true], isOwed: undefined },
  { refunds: [true, false], isOwed: true },
  { refunds: [false], isOwed: true },
])('refunds that went through: $refunds → owed: $isOwed', async ({ refunds, isOwed }) => {
  const left = [...refunds];
  const allowance = allowanceOf(aiCaller, '', defaultPlans, nowMs);
  const rateLimit = rateLimitStatusOf(allowance, 1);
  const serve = createServeAi({
    index: { markLost: async () => true } as unknown as GenerationIndex,
    charges: {} as Charges,
    make: async () => ({ outcome: 'ready', generation, led: false }),
    renditions: { deliver: async () => ({ outcome: 'lost' }) } as unknown as RenditionService,
    meter: {
      charge: async () => ({ outcome: 'charged', rateLimit }),
      refund: async () => ({ rateLimit, isDone: left.shift() ?? false }),
      knownRefusal: () => undefined,
      status: async () => rateLimit,
    },
    plans: defaultPlans,
    testKeysGenerate: false,
    clock: createVirtualClock(nowMs),
    telemetry: createRecordedTelemetry(),
  });
  const about = { requestId: 'r', format: 'webp', deadlineMs: nowMs + 20_000 } as const;
  const answer = await serve(aiRequest, aiCaller, { allowance, searches: allowance, ...about });
  expect(answer).toMatchObject({ outcome: 'refused', refusal: { code: 'upstream_unavailable' } });
  expect('isOwed' in answer ? answer.isOwed : undefined).toBe(isOwed);
});
