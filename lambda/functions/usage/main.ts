/** Wires the usage function to its environment. */

import { connectDynamoDb } from '../../aws/dynamodb/connect';
import { createReadSecret } from '../../aws/secrets/read-secret';
import { createApiKeyRegister } from '../../credentials/dynamodb/api-key-register';
import { edgeOf } from '../../http/edge';
import { createSignedDelivery } from '../../images/delivery-urls/signed-delivery';
import { createReadShownImages } from '../../images/dynamodb/shown-items';
import { createPickedImages, rememberAbout } from '../../images/picked-images';
import { createThumbnailOf } from '../../images/thumbnail';
import { createReportGone } from '../../pages/report-gone';
import { createQuotaCounters } from '../../quota/dynamodb/quota-counters';
import { createUsageHistory } from '../../quota/dynamodb/usage-history';
import { createLedger } from '../../quota/ledger';
import { createReportAccount } from '../../quota/usage/report-account';
import { createReportUsage } from '../../quota/usage/report-usage';
import { createItemStore } from '../../stock/dynamodb/item-store';
import { startFunction } from '../start-function';
import { createHandler } from './handler';
import { settings } from './settings';

const { config, clock, telemetry } = startFunction('usage', settings, process.env);
const db = connectDynamoDb(process.env, clock.nowMs);

const apiKeys = createApiKeyRegister(db, config.API_KEYS_TABLE);
const history = createUsageHistory(db, config.QUOTA_COUNTERS_TABLE);
const stockMemory = createItemStore(db, config.STOCK_MEMORY_TABLE, clock);
const pickedImages = rememberAbout(createPickedImages({ stockMemory, clock, telemetry }), clock);
const readSecret = createReadSecret(clock);
const delivery = createSignedDelivery({
  baseUrl: config.IMAGE_BASE_URL,
  keyPairId: config.SIGNING_KEY_PAIR_ID,
  readPrivateKey: () => readSecret(config.SIGNING_SECRET_ID),
});
const counters = createQuotaCounters(db, config.QUOTA_COUNTERS_TABLE, telemetry);

/** Entry point of the deployed function. */
export const handler = createHandler({
  ledger: createLedger({ counters, clock, telemetry }),
  reportUsage: createReportUsage({ counters, history, apiKeys, plans: config.PLANS }),
  reportAccount: createReportAccount({ history, apiKeys, plans: config.PLANS }),
  shownImages: createReadShownImages(db, config.STOCK_MEMORY_TABLE),
  pickedImages,
  thumbnailOf: createThumbnailOf(delivery, config.IMAGE_BASE_URL, config.IMAGE_DELIVERY),
  reportGone: createReportGone({ stockMemory, pickedImages }),
  edge: edgeOf(config),
  clock,
  telemetry,
});
