/** The AI side of the service, wired as the functions wire it: the real use cases over the real DynamoDB adapters. */

import type { Database } from '../../lambda/aws/dynamodb/call';
import type { Clock, Ids } from '../../lambda/base/clock';
import type { Telemetry } from '../../lambda/base/telemetry';
import { defaultPlans, type Plans } from '../../lambda/contract/plans';
import type { AdmitWaiting } from '../../lambda/generation/admit-waiting';
import { createRenditionService } from '../../lambda/generation/deliver';
import { createGenerationIndex } from '../../lambda/generation/dynamodb/generation-index';
import type { GeneratorQueue } from '../../lambda/generation/generation-job';
import { createMakeImage } from '../../lambda/generation/make-image';
import { createServeAi } from '../../lambda/generation/serve-ai';
import { createSweep } from '../../lambda/generation/settle';
import type { Delivery } from '../../lambda/images/delivery';
import type { ImageLibrary } from '../../lambda/images/image-library';
import type { Renderer } from '../../lambda/images/renderer';
import { createCharges } from '../../lambda/quota/dynamodb/charges';
import { createQuotaCounters } from '../../lambda/quota/dynamodb/quota-counters';
import { createLedger } from '../../lambda/quota/ledger';
import type { AnnounceUsage } from '../../lambda/quota/usage/at-thresholds';
import { cacheOf } from '../simulation/surroundings';
import { admitAll } from './admit-all';

export interface Surroundings {
  readonly db: Database;
  readonly tableNames: Readonly<Record<'generationIndex' | 'quotaCounters', string>>;
  readonly library: ImageLibrary;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly telemetry: Telemetry;
}

/** What every use case that ends executions needs. */
export function openAiStores({ db, tableNames, ...around }: Surroundings) {
  const { clock, telemetry } = around;
  return {
    ...around,
    index: createGenerationIndex(db, tableNames.generationIndex),
    charges: createCharges({ db, tableName: tableNames.quotaCounters, clock, telemetry }),
    counters: createQuotaCounters(db, tableNames.quotaCounters, telemetry),
  };
}

export type AiStores = ReturnType<typeof openAiStores>;

interface AiOptions {
  readonly queue: GeneratorQueue;
  readonly renderer: Renderer;
  readonly delivery: Delivery;
  readonly plans?: Plans;
  /** Every request may wait by default. */
  readonly admit?: AdmitWaiting;
  readonly generationsPerDay?: number | undefined;
  readonly announceUsage?: AnnounceUsage;
}

/** Answers requests for AI images; `serving` is what every other use case that shows one needs. */
export function openAi(
  stores: AiStores,
  {
    queue,
    renderer,
    delivery,
    plans = defaultPlans,
    admit = admitAll,
    generationsPerDay,
    ...more
  }: AiOptions,
) {
  const { clock, telemetry } = stores;
  const ledger = createLedger({ ...stores, ...more });
  const renditions = createRenditionService({
    renderer,
    delivery,
    cache: cacheOf(),
    isStored: undefined,
    aiLabel: 'off',
    clock,
    telemetry,
  });
  const serving = { ...stores, ledger, renditions, renderer, delivery };
  const make = createMakeImage({ ...stores, admit, sweep: createSweep(stores), ledger, queue });
  return {
    serving,
    serveAi: createServeAi({ ...serving, make, plans, generationsPerDay, testKeysGenerate: false }),
  };
}
