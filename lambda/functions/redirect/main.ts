/** Wires the image function to its environment: at once what every request needs, the rest on first need. */

import { connectDynamoDb, warmUp } from '../../aws/dynamodb';
import { servicesOf } from '../../aws/dynamodb/call';
import { createReadSecret } from '../../aws/secrets/read-secret';
import type { Cache, StockMemory } from '../../base/item-store';
import { lazily } from '../../base/lazily';
import { systemIds as ids } from '../../base/system';
import { edgeOf } from '../../http/edge';
import { createPaidImages } from '../../quota/dynamodb/paid-images';
import { createQuotaCounters } from '../../quota/dynamodb/quota-counters';
import { createLedger } from '../../quota/ledger';
import { atThresholds } from '../../quota/usage/at-thresholds';
import { recordUsage } from '../../quota/usage/usage';
import { createVerifyRequest } from '../../requests/verify-request';
import { createServeImage, type ServeImage } from '../../serving/serve-image';
import { createServeOnce } from '../../serving/serve-once';
import { createCachedImages } from '../../stock/cached-images';
import { createItemStore } from '../../stock/dynamodb/item-store';
import { createOperatorImages } from '../../stock/operator-images';
import { createServeStock } from '../../stock/serve-stock';
import type { NoteUse } from '../../stock/uses';
import { startFunction } from '../start-function';
import { createHandler } from './handler';
import { settings } from './settings';
import type { Wiring } from './wiring';

const { config, clock, telemetry } = startFunction('redirect', settings, process.env);
const database = connectDynamoDb();
const db = database.client;
const tables = { quotaCounters: config.QUOTA_COUNTERS_TABLE };
const counters = createQuotaCounters(db, config.QUOTA_COUNTERS_TABLE, telemetry);
const started = { config, clock, ids, telemetry };
const loadAnnounce = lazily(async () => (await import('./miss')).wireAnnouncing(started, db));
const announceUsage = atThresholds(loadAnnounce, telemetry);
const ledger = createLedger({ counters, clock, telemetry, announceUsage });
const cache: Cache = createItemStore(db, config.CACHE_TABLE, clock);
const stockMemory: StockMemory = createItemStore(db, config.IMAGES_TABLE, clock);
const operatorImages = createOperatorImages(stockMemory, clock, telemetry);
const readSecret = createReadSecret(clock);
// It never changes: another value would end every signer.
const readMaster = lazily(() => readSecret(config.SIGNER_SECRET_ID));
const wiring: Wiring = {
  readSecret,
  readMaster,
  operatorImages,
  ...started,
  counters,
  stockMemory,
  cache,
  ledger,
  announceUsage,
};
/** What a miss needs, loaded with the first one. */
const loadMiss = lazily(async () => {
  const miss = await import('./miss');
  const whole = { ...wiring, ...miss.wireMiss(wiring) };
  return { ...miss, whole: { ...whole, noteUse: miss.wireUses(whole) } };
});
const noteUse: NoteUse = async (...use) => (await loadMiss()).whole.noteUse(...use);

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
const loadStock = lazily(async () => {
  const { wireStock, whole } = await loadMiss();
  return wireStock(whole, cachedImages, contact);
});
const loadAi = lazily(async () => {
  const { wireAi, whole } = await loadMiss();
  return wireAi(whole, db);
});
const loadTest = lazily(async () => {
  const { wireTestValues, whole } = await loadMiss();
  return wireTestValues(whole, serve);
});
const loadBatch = lazily(async () => {
  const [{ wireBatch, whole }, find, ai] = await Promise.all([loadMiss(), loadStock(), loadAi()]);
  return wireBatch({ ...whole, loadTest }, cachedImages, find, ai.serveAi, serve);
});
const loadPublishing = lazily(async () => {
  const { wirePublishing, whole } = await loadMiss();
  return wirePublishing(whole, db);
});
const serveStock = createServeStock({
  ledger,
  cachedImages,
  operatorImages,
  noteUse,
  find: async (...request) => (await loadStock())(...request),
});

const serve: ServeImage = createServeImage(
  serveStock,
  async (...request) => (await loadAi()).serveAi(...request),
  async (...request) => (await loadAi()).servePicked(...request),
  loadTest,
);

/** Opens two connections to the tables, before the first request, which charges and reads at once. */
export const prepare = (): Promise<void> => warmUp(database, config.CACHE_TABLE, 2);

/** Entry point of the function; deployed through `warm-main.ts`. */
export const handler = createHandler({
  recordUsage: (...request) =>
    recordUsage({ ...servicesOf(db), tables, telemetry }, config.PLANS, ...request),
  serve,
  payOnce: createServeOnce({ ...wiring, paidImages: createPaidImages(db, config.QUOTA_COUNTERS_TABLE) }),
  loadPublishing,
  verify: createVerifyRequest({ readMaster, nowMs: clock.nowMs }),
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
