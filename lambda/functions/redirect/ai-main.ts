/** Wires what only AI images need; loaded on first need. */

import type { Database } from '../../adapters/dynamodb/call';
import { createGenerationIndex } from '../../adapters/dynamodb/generations/generation-index';
import { createCharges } from '../../adapters/dynamodb/quota/charges';
import { createWaitingPlaces } from '../../adapters/dynamodb/quota/waiting-places';
import { createImageLibrary } from '../../adapters/image-library';
import {
  connectLambda,
  createInvokeGeneratorQueue,
  createInvokeRenderer,
} from '../../adapters/lambda/invoke';
import { createReadUnreservedExecutions } from '../../adapters/lambda/unreserved-executions';
import { createAdmitWaiting } from '../../usecases/generation/admit-waiting';
import { createRenditionService } from '../../usecases/generation/deliver';
import { createMakeImage } from '../../usecases/generation/make-image';
import { createServeAi, type ServeAi } from '../../usecases/generation/serve-ai';
import { createServePermalink, type ServePermalink } from '../../usecases/generation/serve-permalink';
import { createSpendGuard } from '../../usecases/generation/spend-guard';
import { createSweep } from '../../usecases/generation/sweep';
import { announcingCharges } from '../../usecases/usage/at-thresholds';
import type { SecretsWiring, Wiring } from './wiring';

export interface AiUseCases {
  readonly serveAi: ServeAi;
  readonly servePermalink: ServePermalink;
}

export function wireAi(wiring: Wiring & SecretsWiring, db: Database): AiUseCases {
  const { config, clock, telemetry, meter } = wiring;
  const lambda = connectLambda();
  const index = createGenerationIndex(db, config.GENERATION_INDEX_TABLE);
  const charges = announcingCharges(
    createCharges({ db, tableName: config.QUOTA_COUNTERS_TABLE, clock, telemetry }),
    wiring.announceUsage,
  );
  const library = createImageLibrary(config.IMAGE_STORE);
  const renderer = createInvokeRenderer(lambda, config.RENDERER_FUNCTION, clock);
  // A folder is emptied by hand while the service runs; a bucket is not, and asking it would delay each image.
  const isFolder = config.IMAGE_STORE.startsWith('file:');
  const renditions = createRenditionService({
    ...wiring,
    renderer,
    ...(isFolder ? { isStored: (path) => library.has(path) } : {}),
  });
  const settling = { ...wiring, index, charges, library };
  const queue = createInvokeGeneratorQueue(lambda, config.GENERATOR_FUNCTION, clock);
  const spendGuard = createSpendGuard(wiring);
  const { WAITING_REQUESTS_MAX: waitingMax } = config;
  const admit = createAdmitWaiting({
    ...wiring,
    places: createWaitingPlaces(db, config.QUOTA_COUNTERS_TABLE, (below) =>
      Math.floor(Math.random() * below),
    ),
    readUnreserved: createReadUnreservedExecutions(lambda),
    ...(waitingMax === undefined ? {} : { waitingMax }),
  });
  const make = createMakeImage({ ...settling, admit, queue, sweep: createSweep(settling), spendGuard });
  return {
    serveAi: createServeAi({
      index,
      charges,
      make,
      renditions,
      meter,
      plans: config.PLANS,
      ...(config.GENERATIONS_PER_DAY === undefined ? {} : { generationsPerDay: config.GENERATIONS_PER_DAY }),
      testKeysGenerate: config.TEST_KEYS_GENERATE === 'on',
      clock,
      telemetry,
    }),
    servePermalink: createServePermalink({ index, charges, renditions, meter }),
  };
}
