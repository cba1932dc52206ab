/** Wires the image function to its environment: at once what every request needs, the rest on first need. */

import { connectDynamoDb, warmUp } from '../../aws/dynamodb';
import { createReadSecret } from '../../aws/secrets/read-secret';
import { createExpiringCache } from '../../base/expiring-cache';
import { lazily } from '../../base/lazily';
import { currentDeadline } from '../../base/request-deadline';
import { systemIds as ids } from '../../base/system';
import { keysOf } from '../../credentials/key-store';
import type { ReportServices } from '../../quota/usage/report-usage';
import type { ThresholdEvent } from '../../quota/usage/thresholds';
import { recordUsage } from '../../quota/usage/usage';
import type { KnownImageServices } from '../../services';
import { type ServeStockServices, serveStock } from '../../stock/serve-stock';
import { emptyStockMemory } from '../../stock/stock-services';
import { startFunction } from '../start-function';
import { apiHandler } from './handler';
import { settings } from './settings';
import type { Wiring } from './wiring';

/** How much an instance remembers: limits that have refused, credentials of accounts, images that are paid today, months of usage. */
const [refusalsMax, accountsMax, paidMax, monthsMax] = [10_000, 2_000, 20_000, 1_000];
/** A service has one URL or a few; host names that callers invent must not fill the memory. */
const pagesMax = 12;

const { config, clock, telemetry } = startFunction('api', settings, process.env);
const database = connectDynamoDb();
const pastMonths: ReportServices['pastMonths'] = createExpiringCache(monthsMax);
const started = { config, clock, ids, telemetry };
/** What every request takes, with a deadline of its own. */
const shared = {
  database,
  clock,
  ids,
  random: Math.random,
  tables: {
    apiKeys: config.API_KEYS_TABLE,
    quotaCounters: config.QUOTA_COUNTERS_TABLE,
    images: config.IMAGES_TABLE,
    cache: config.CACHE_TABLE,
    generationIndex: config.GENERATION_INDEX_TABLE,
  },
  refusals: createExpiringCache<true>(refusalsMax),
  paidToday: createExpiringCache<true>(paidMax),
  telemetry,
  announce: async (event: ThresholdEvent) => (await loadMiss()).announce(wiring, event),
};
/** For the parts that are made once. */
const services: KnownImageServices = {
  ...shared,
  get deadline() {
    return currentDeadline();
  },
};
const readSecret = createReadSecret(clock);
const wiring: Wiring = {
  readSecret,
  ...started,
  services,
};
/** What a miss needs, loaded with the first one. */
const loadMiss = lazily(async () => {
  const miss = await import('./miss');
  return { ...miss, whole: { ...wiring, ...miss.wireMiss(wiring, answers.memory) } };
});

// Providers ask for a contact; unless the operator has configured one, it is the page of the service.
let rootUrl = 'https://localhost';
const contact = () => config.CONTACT ?? rootUrl;

const answers = {
  ...shared,
  memory: emptyStockMemory(),
  settings: {
    bindings: config.SLOT_BINDINGS,
    imageDelivery: config.IMAGE_DELIVERY,
    imageBaseUrl: config.IMAGE_BASE_URL,
    endpoints: config.PROVIDER_ENDPOINTS,
  },
};
const loadStock = lazily(async () => {
  const { wireStock, whole } = await loadMiss();
  return wireStock(whole, database, answers, contact);
});
const loadAi = lazily(async () => {
  const { wireAi, whole } = await loadMiss();
  return wireAi(whole);
});
const stock: ServeStockServices = {
  ...answers,
  get deadline() {
    return currentDeadline();
  },
  find: async (...request) => (await loadStock()).find(...request),
  reportUse: async (...use) => (await loadStock()).reportUse(...use),
};

/** Opens two connections to the tables, before the first request, which charges and reads at once. */
export const prepare = (): Promise<void> => warmUp(database, config.CACHE_TABLE, 2);

/** Entry point of the function; deployed through `warm-main.ts`. */
export const handler = apiHandler({
  ...shared,
  config,
  // It never changes: another value would end every signer.
  readMaster: lazily(() => readSecret(config.SIGNER_SECRET_ID)),
  readAddressKey: lazily(() => readSecret(config.ADDRESS_SECRET_ID)),
  pagesKept: createExpiringCache(pagesMax),
  publishing: { credentials: createExpiringCache(accountsMax) },
  parts: {
    recordUsage: (...request) => recordUsage(services, config.PLANS, ...request),
    reportUsage: async (caller, nowMs) => {
      const { reportUsage } = await loadMiss();
      const reading = { ...services, pastMonths, plans: config.PLANS };
      return reportUsage({ ...reading, readKeys: (account) => keysOf(reading, account) }, caller, nowMs);
    },
    stock,
    serveStock: (request, context) => serveStock(stock, request, context),
    serveAi: async (...request) => (await loadAi()).serveAi(...request),
    servePicked: async (...request) => (await loadAi()).servePicked(...request),
    servePermalink: async (...request) => (await loadAi()).servePermalink(...request),
    goneCard: async (...asked) => {
      const { wireGoneCard, whole } = await loadMiss();
      return wireGoneCard(whole, ...asked);
    },
    onRootUrl: (url) => {
      rootUrl = url;
    },
  },
});
