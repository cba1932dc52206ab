/** Wires what only batches need; loaded on first need. */

import { llmsText } from '../../docs/llms';
import type { ServeAi } from '../../generation/serve-ai';
import { postImages } from '../../pages/batch';
import { postPages } from '../../pages/fill-page';
import type { postMcp } from '../../pages/mcp/route';
import { createServeBatch } from '../../pages/serve-batch';
import type { AnswerTest, ServeImage } from '../../serving/serve-image';
import type { CachedImages } from '../../stock/cached-images';
import type { FindImage } from '../../stock/find-image';
import type { SecretsWiring, Wiring } from './wiring';

/** @param serve answers the entries that are neither a new stock image nor an AI image */
export function wireBatch(
  wiring: Wiring & SecretsWiring & { readonly loadTest: () => Promise<AnswerTest> },
  cachedImages: CachedImages,
  find: FindImage,
  serveAi: ServeAi,
  serve: ServeImage,
) {
  return {
    serveBatch: createServeBatch({
      ...wiring,
      cachedImages,
      find,
      serveAi,
      serve,
      plans: wiring.config.PLANS,
    }),
    postImages,
    postPages,
    loadFillHtml: async () => (await import('../../../packages/client/src/pages/fill-html')).fillHtml,
    postMcp: async (...given: Parameters<typeof postMcp>) =>
      (await import('../../pages/mcp/route')).postMcp(...given),
    guide: (rootUrl: string) => llmsText(rootUrl, wiring.config.PLANS),
  };
}

/** The routes of the batch, of whole pages and of the protocol that offers it to models. */
export type BatchPart = ReturnType<typeof wireBatch>;
