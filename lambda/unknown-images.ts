/**
 * Exports the code that finds and makes images. The bundle loads it with the first request that needs it.
 * It is imported by `import()` alone; each `import()` makes a file, which slows every start.
 */

import type { Telemetry } from './base/telemetry';
import { functionsFor } from './connections';
import type { AiServices } from './generation/ai-services';
import type { StoreServices } from './images/picked-images';
import type { Services } from './services';
import type { StockServices } from './stock/stock-services';

export { createConnections } from './connections';
export { serveAiByWordsOrPick } from './generation/serve-ai';
export { servePermalink } from './generation/serve-permalink';
export { renderGoneCard } from './images/gone-card';
export { reportUse } from './stock/report-use';
export { findImage } from './stock/search/find-image';
export { subjectOf } from './stock/subject';

/** Returns the services of finding a stock image. */
export async function createStockServices(services: Services): Promise<StockServices> {
  const { telemetry, ...stock } = await connected(services);
  if (!stock.onUnreached) return { ...stock, telemetry };
  // The local service says once that no provider is reached, and not for each request.
  const error: Telemetry['error'] = (message, fault, fields) => {
    if (fields?.['kind'] !== 'unavailable') telemetry.error(message, fault, fields);
  };
  return { ...stock, telemetry: { ...telemetry, error } };
}

/** Returns the services of AI images. */
export async function createAiServices(services: Services): Promise<AiServices & StoreServices> {
  const { AI_LABEL: aiLabel, GENERATIONS_PER_DAY: generationsPerDay, PLANS: plans } = services.config;
  return { ...(await connected(services)), aiLabel, generationsPerDay, plans };
}

async function connected(services: Services) {
  const connections = await services.connections(services.rootUrl);
  return { ...services, ...connections, ...functionsFor(services, connections) };
}
