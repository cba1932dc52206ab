/** Makes the services of the function `api`: what every request needs at once, the rest on first need. */

import { connectDynamoDb } from '../../aws/dynamodb';
import { createSecretReader } from '../../aws/secrets/secrets';
import { createSharedLoader } from '../../base/concurrency';
import { createExpiringCache } from '../../base/expiring-cache';
import { systemIds } from '../../base/ids';
import type { Services } from '../../services/services';
import { apiSettings } from '../../services/settings';
import { loadImageCode } from '../../serving/load-image-code';
import { createStockMemory } from '../../stock/stock-services';
import { startFunction, warmUp } from '../start-function';
import { createApiHandler } from './handler';
import { loadRouteCode } from './load-route-code';

const { config, clock, telemetry } = startFunction('api', apiSettings);
const readSecret = createSecretReader(clock);

const services: Omit<Services, 'deadline' | 'rootUrl'> = {
  database: connectDynamoDb(),
  clock,
  random: Math.random,
  config,
  ids: systemIds,
  telemetry,
  tables: {
    apiKeys: config.API_KEYS_TABLE,
    quotaCounters: config.QUOTA_COUNTERS_TABLE,
    images: config.IMAGES_TABLE,
    cache: config.CACHE_TABLE,
    generationIndex: config.GENERATION_INDEX_TABLE,
  },
  stockSettings: {
    bindings: config.SLOT_BINDINGS,
    imageDelivery: config.IMAGE_DELIVERY,
    imageBaseUrl: config.IMAGE_BASE_URL,
    endpoints: config.PROVIDER_ENDPOINTS,
    fallbackProvider: config.FALLBACK_PROVIDER,
  },
  // Both are read once, because neither changes. Another master would end every signer.
  readMaster: createSharedLoader((deadline) => readSecret(config.SIGNER_SECRET_ID, deadline)),
  readAddressKey: createSharedLoader((deadline) => readSecret(config.ADDRESS_SECRET_ID, deadline)),
  announce: async (...event) => (await loadRouteCode()).sendEvent({ clock, config, telemetry }, ...event),
  // Providers ask for a contact. If the operator has set none, it is the root URL of the first request, because
  // the function does not know its own URL.
  connect: createSharedLoader(async (rootUrl: string) =>
    (await loadImageCode()).connectImageServices(services, readSecret, config.CONTACT ?? rootUrl),
  ),
  refusals: createExpiringCache(10_000),
  freeImages: createExpiringCache(20_000),
  stockMemory: createStockMemory(),
  credentialsByAccount: createExpiringCache(2_000),
  pastMonths: createExpiringCache(1_000),
};

/** Opens two connections to the tables before the first request, which charges and reads at once. */
export const openConnections = (): Promise<void> => warmUp(services.database, config.CACHE_TABLE, 2);

/** Entry point of the function. `warm-main.ts` is deployed, which exports it. */
export const handler = createApiHandler(services);
