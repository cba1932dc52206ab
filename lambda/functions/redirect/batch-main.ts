/** Wires what only batches need; loaded on first need. */

import { createCredits } from '../../usecases/batch/credits';
import { createPageMemory } from '../../usecases/batch/page-memory';
import { createServeBatch } from '../../usecases/batch/serve-batch';
import type { ServeAi } from '../../usecases/generation/serve-ai';
import type { FindImage } from '../../usecases/stock/find-image';
import type { KnownImages } from '../../usecases/stock/known-images';
import { postImages } from './batch';
import { postMcp } from './mcp/route';
import type { Wiring } from './wiring';

export function wireBatch(wiring: Wiring, known: KnownImages, find: FindImage, serveAi: ServeAi) {
  const pages = createPageMemory(wiring);
  return {
    serveBatch: createServeBatch({ ...wiring, known, find, serveAi, pages }),
    credits: createCredits(wiring),
    postImages,
    postMcp,
  };
}

/** The routes of the batch and of the protocol that offers it to models. */
export type BatchPart = ReturnType<typeof wireBatch>;
