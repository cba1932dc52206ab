/** What serves AI images, with an image that is there and a ledger that admits everything. */

import { defaultPlans } from '../../lambda/contract/plans';
import type { GenerationIndex } from '../../lambda/generation/generation';
import { createServeAi, type ServeAi, type ServeAiDeps } from '../../lambda/generation/serve-ai';
import { quotaOf, rateLimitStatusOf } from '../../lambda/quota/quota';
import type { Charges } from '../../lambda/quota/reservations';
import { aiCaller } from './ai';
import { imageKey } from './branded';
import { readyGeneration } from './ready-generation';
import { createRecordedTelemetry } from './recorded-telemetry';
import { generousLedger } from './request-context';
import { anImage } from './stock';
import { createVirtualClock } from './virtual-clock';

/** What the index says is the matter of each test. */
type Change = Partial<Omit<ServeAiDeps, 'index'>> & { readonly index?: Partial<GenerationIndex> };

export const servedMs = Date.UTC(2026, 10, 21, 12);
export const servedGeneration = readyGeneration(
  imageKey(`G#live#acc_1#private#${'a'.repeat(64)}`),
  'masters/a/01/master.png',
);

export const serveAiWith = ({ index = {}, ...change }: Change = {}): ServeAi =>
  createServeAi({
    charges: {} as Charges,
    make: async () => ({ outcome: 'ready', generation: servedGeneration, led: false }),
    renditions: {
      isMade: async () => true,
      deliver: async () => ({ outcome: 'delivered', image: anImage }),
    },
    ledger: generousLedger(rateLimitStatusOf(quotaOf(aiCaller, '', defaultPlans, servedMs), 1)),
    plans: defaultPlans,
    generationsPerDay: undefined,
    testKeysGenerate: false,
    clock: createVirtualClock(servedMs),
    telemetry: createRecordedTelemetry(),
    ...change,
    index: index as GenerationIndex,
  });
