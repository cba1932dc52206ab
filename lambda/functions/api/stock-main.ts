/** Wires the search for a stock image; apart from the rest of a miss, as its dictionaries are megabytes. */

import type { Database } from '../../aws/dynamodb';
import { createReadKey } from '../../aws/secrets/provider-keys';
import { deadlineAt } from '../../base/deadline';
import { createExpiringCache } from '../../base/expiring-cache';
import type { Telemetry } from '../../base/telemetry';
import type { StockProviderName } from '../../contract/providers';
import { createImageLibrary } from '../../images/s3/open-library';
import { findImage } from '../../stock/find';
import { createReadPhotoIndex } from '../../stock/library/photo-index';
import { createProviders } from '../../stock/providers/providers';
import { reportUse } from '../../stock/report-use';
import type { ServeStockServices } from '../../stock/serve-stock';
import type { StockProvider } from '../../stock/stock-provider';
import type { AnswerServices, StockServices } from '../../stock/stock-services';
import { createInvokeBackground, createInvokeRenderer } from '../aws/invoke';
import type { MissWiring, Wiring } from './wiring';

const refusalsMax = 1_000;

/** @param contact how providers can reach who operates the service */
export function wireStock(
  wiring: Wiring & MissWiring,
  database: Database,
  answers: Omit<AnswerServices, 'deadline'>,
  contact: () => string,
): Pick<ServeStockServices, 'find' | 'reportUse'> {
  const { config, clock, lambda, ids, delivery, telemetry } = wiring;
  const tables = {
    cache: config.CACHE_TABLE,
    images: config.IMAGES_TABLE,
    quotaCounters: config.QUOTA_COUNTERS_TABLE,
  };
  const tableServices = { database, clock, random: Math.random, deadline: deadlineAt(Infinity), tables };
  const createProvider = createProviders({
    readKey: createReadKey(wiring.readSecret, config.PROVIDER_SECRET_ID),
    contact,
    clock,
    endpoints: config.PROVIDER_ENDPOINTS,
    quotas: config.PROVIDER_QUOTAS,
    readPhotoIndex: createReadPhotoIndex({
      ...tableServices,
      bucket: createImageLibrary(config.IMAGE_STORE),
    }),
  });
  const providers = new Map<StockProviderName, StockProvider>();
  const background = createInvokeBackground(lambda, config.RENDERER_FUNCTION, clock);
  const isDrawing = config.DRAW_WITHOUT_PROVIDERS;
  const services: Omit<StockServices, 'deadline'> = {
    ...answers,
    ...tableServices,
    ids,
    delivery,
    telemetry: isDrawing ? quietAbout(telemetry) : telemetry,
    refusals: createExpiringCache(refusalsMax),
    renderer: createInvokeRenderer(lambda, config.RENDERER_FUNCTION, clock),
    providerOf(name) {
      const provider = providers.get(name) ?? createProvider(name);
      providers.set(name, provider);
      return provider;
    },
    handOverUse: (use) => background.handOver({ kind: 'report-use', ...use }),
    ...(isDrawing && { onUnreached: oneLine() }),
  };
  return {
    find: (request, { format, deadlineMs }, caller) =>
      findImage({ ...services, deadline: deadlineAt(deadlineMs) }, request, format, caller),
    reportUse: (image, owner, deadlineMs) =>
      reportUse({ ...services, deadline: deadlineAt(deadlineMs) }, image, owner),
  };
}

/** That providers are not reached is said in one line, and not for each request. */
function quietAbout(telemetry: Telemetry): Telemetry {
  return {
    ...telemetry,
    error: (message, fault, fields) => {
      if (fields?.['kind'] !== 'unavailable') telemetry.error(message, fault, fields);
    },
  };
}

/** Tells who runs the local service, once. */
function oneLine(): () => void {
  let isSaid = false;
  return () => {
    if (!isSaid) process.stderr.write(unreached);
    isSaid = true;
  };
}

const unreached =
  'No photo provider is reached, so images are drawn until one answers. Is there a network? npm run providers says more.\n';
