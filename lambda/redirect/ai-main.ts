/** Wires what only AI pictures need; loaded on first need. */

import type { Database } from '../adapters/dynamodb/call';
import { createGenerationIndex } from '../adapters/dynamodb/generations/generation-index';
import { createCharges } from '../adapters/dynamodb/quota/charges';
import { createImageLibrary } from '../adapters/image-library';
import { connectLambda } from '../adapters/lambda/connect-lambda';
import { createInvokeAsync } from '../adapters/lambda/invoke-async';
import { createInvokeRenderer } from '../adapters/lambda/invoke-renderer';
import { announcingCharges } from '../usecases/announce-usage';
import { createGallery } from '../usecases/generation/gallery';
import { createMakePicture } from '../usecases/generation/make-picture';
import { createServeAi, type ServeAi } from '../usecases/generation/serve-ai';
import { createServePermalink, type ServePermalink } from '../usecases/generation/serve-permalink';
import { createSweep } from '../usecases/generation/sweep';
import type { Wiring } from './wiring';

export interface AiUseCases {
  readonly serveAi: ServeAi;
  readonly servePermalink: ServePermalink;
}

export function wireAi(wiring: Wiring, db: Database): AiUseCases {
  const { config, clock, telemetry, meter } = wiring;
  const lambda = connectLambda();
  const index = createGenerationIndex(db, config.GENERATION_INDEX_TABLE);
  const charges = announcingCharges(
    createCharges({ db, tableName: config.QUOTA_COUNTERS_TABLE, clock, telemetry }),
    wiring.announceUsage,
  );
  const library = createImageLibrary(config.IMAGE_STORE);
  const renderer = createInvokeRenderer(lambda, config.RENDERER_FUNCTION, clock);
  const gallery = createGallery({ ...wiring, renderer });
  const settling = { ...wiring, index, charges, library };
  const queue = { handOver: createInvokeAsync(lambda, config.GENERATOR_FUNCTION, clock) };
  const make = createMakePicture({ ...settling, queue, sweep: createSweep(settling) });
  return {
    serveAi: createServeAi({ index, make, gallery, meter, plans: config.PLANS, telemetry }),
    servePermalink: createServePermalink({ index, gallery, meter }),
  };
}
