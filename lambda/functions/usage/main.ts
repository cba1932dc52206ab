/** Wires the usage function to its environment. */

import { createApiKeyRegister } from '../../adapters/dynamodb/keys/api-key-register';
import { createQuotaCounters } from '../../adapters/dynamodb/quota/quota-counters';
import { createUsageHistory } from '../../adapters/dynamodb/quota/usage-history';
import { createSdkDatabase } from '../../adapters/dynamodb/sdk-database';
import { edgeOf } from '../../http/edge';
import { createReportUsage } from '../../usecases/usage/report-usage';
import { startFunction } from '../start-function';
import { createHandler } from './handler';
import { settings } from './settings';

const { config, clock, telemetry } = startFunction('usage', settings, process.env);
const db = createSdkDatabase();

export const handler = createHandler({
  reportUsage: createReportUsage({
    counters: createQuotaCounters(db, config.QUOTA_COUNTERS_TABLE, telemetry),
    ledger: createUsageHistory(db, config.QUOTA_COUNTERS_TABLE),
    apiKeys: createApiKeyRegister(db, config.API_KEYS_TABLE),
    plans: config.PLANS,
  }),
  edge: edgeOf(config),
  clock,
  telemetry,
});
