/** Wires the image function to its environment: at once what every request needs, the rest on first need. */

import { connectDynamoDb, warmUp } from '../../aws/dynamodb';
import type { Cache, StockMemory } from '../../base/item-store';
import { lazily } from '../../base/lazily';
import { systemIds as ids, systemLater } from '../../base/system';
import { edgeOf } from '../../http/edge';
import { createQuotaCounters } from '../../quota/dynamodb/quota-counters';
import { createUsageStore } from '../../quota/dynamodb/usage-store';
import { createLedger } from '../../quota/ledger';
import { atThresholds } from '../../quota/usage/at-thresholds';
import { createRecordUsage } from '../../quota/usage/record-usage';
import { createServeImage, type ServeImage } from '../../serving/serve-image';
import { createCachedImages } from '../../stock/cached-images';
import { createCurate, createCurations } from '../../stock/curation';
import { createItemStore } from '../../stock/dynamodb/item-store';
import { createServeStock } from '../../stock/serve-stock';
import type { NoteUse } from '../../stock/uses';
import { startFunction } from '../start-function';
import { createHandler } from './handler';
import { settings } from './settings';
import type { SecretsWiring, Wiring } from './wiring';

const { config, clock, telemetry } = startFunction('redirect', settings, process.env);
const database = connectDynamoDb();
const db = database.client;
const counters = createQuotaCounters(db, config.QUOTA_COUNTERS_TABLE, telemetry);
const store = createUsageStore(db, config.QUOTA_COUNTERS_TABLE);
const started = { config, clock, ids, telemetry };
const loadAnnounce = lazily(async () => (await import('./announce-main')).wireAnnouncing(started, db));
const announceUsage = atThresholds(loadAnnounce, telemetry);
const ledger = createLedger({ counters, clock, telemetry, announceUsage });
const cache: Cache = createItemStore(db, config.CACHE_TABLE, clock);
const stockMemory: StockMemory = createItemStore(db, config.STOCK_MEMORY_TABLE, clock);
const curations = createCurations(stockMemory, clock);
const curate = createCurate(curations, telemetry);
const wiring: Wiring = {
  curations,
  curate,
  ...started,
  counters,
  stockMemory,
  cache,
  ledger,
  announceUsage,
};
const loadUses = lazily(async () => (await import('./uses-main')).wireUses(wiring));
const noteUse: NoteUse = async (...use) => (await loadUses())(...use);
/** One cache of secrets for all parts that read any. */
const loadSecrets = lazily(async () => ({
  ...wiring,
  noteUse,
  ...(await import('./secrets-main')).wireSecrets(wiring),
}));

/** A part that is loaded on first need, and wired with what all of them share. */
const part = <M, Part>(load: () => Promise<M>, wire: (module: M, whole: Wiring & SecretsWiring) => Part) =>
  lazily(async () => {
    const [module, whole] = await Promise.all([load(), loadSecrets()]);
    return wire(module, whole);
  });

// Providers ask for a contact; unless the operator has configured one, it is the page of the service.
let rootUrl = 'https://localhost';
const contact = () => config.CONTACT ?? rootUrl;

const cachedImages = createCachedImages({
  cache,
  clock,
  telemetry,
  bindings: config.SLOT_BINDINGS,
  imageDelivery: config.IMAGE_DELIVERY,
});
const loadStock = part(
  () => import('./stock-main'),
  ({ wireStock }, whole) => wireStock(whole, cachedImages, contact),
);
const loadAi = part(
  () => import('./ai-main'),
  ({ wireAi }, whole) => wireAi(whole, db),
);
const loadBatch = part(
  () => Promise.all([import('./batch-main'), loadStock(), loadAi()]),
  ([{ wireBatch }, find, ai], whole) =>
    wireBatch({ ...whole, loadTest }, cachedImages, find, ai.serveAi, serve),
);
const loadPublishing = part(
  () => import('./publishing-main'),
  ({ wirePublishing }, whole) => wirePublishing(whole, db),
);
const loadVerify = part(
  () => import('./published-main'),
  ({ wireSigning }, whole) => wireSigning(whole),
);
const loadTest = part(
  () => import('./test-main'),
  ({ wireTestValues }, whole) => wireTestValues(whole, serve),
);
const serveStock = createServeStock({
  ledger,
  cachedImages,
  curate,
  noteUse,
  find: async (...request) => (await loadStock())(...request),
});

const serve: ServeImage = createServeImage(
  serveStock,
  async (...request) => (await loadAi()).serveAi(...request),
  async (...request) => (await loadAi()).servePicked(...request),
  loadTest,
);
const loadOnce = lazily(async () => (await import('./published-main')).wireOnce(wiring, db));

/** Opens two connections to the tables, before the first request, which charges and reads at once. */
export const prepare = (): Promise<void> => warmUp(database, config.CACHE_TABLE, 2);

/** Entry point of the function; deployed through `warm-main.ts`. */
export const handler = createHandler({
  recordUsage: createRecordUsage({
    store,
    plans: config.PLANS,
    clock,
    later: systemLater,
    telemetry,
  }),
  serve,
  loadOnce,
  loadPublishing,
  loadVerify,
  loadBatch,
  servePermalink: async (...request) => (await loadAi()).servePermalink(...request),
  plans: config.PLANS,
  anonymousLimit: config.ANONYMOUS_LIMIT,
  ipHashSecret: config.ADDRESS_SECRET,
  maxAgeS: config.REDIRECT_MAX_AGE_S,
  imageBaseUrl: config.IMAGE_BASE_URL,
  contact: config.CONTACT,
  edge: edgeOf(config),
  clock,
  telemetry,
  onRootUrl: (url) => {
    rootUrl = url;
  },
});
