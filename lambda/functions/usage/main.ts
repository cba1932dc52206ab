/** Wires the usage function to its environment. */

import { createDynamoDb } from '../../adapters/dynamodb/client';
import { createApiKeyRegister } from '../../adapters/dynamodb/keys/api-key-register';
import { createQuotaCounters } from '../../adapters/dynamodb/quota/quota-counters';
import { createUsageLedger } from '../../adapters/dynamodb/quota/usage-ledger';
import { systemClock as clock } from '../../adapters/system/system-clock';
import { createLogTelemetry } from '../../adapters/telemetry/log-telemetry';
import { createReportUsage } from '../../usecases/usage/report-usage';
import { readConfig } from '../config';
import { createHandler } from './handler';
import { settings } from './settings';

const config = readConfig(process.env, settings);
const telemetry = createLogTelemetry({
  functionName: 'usage',
  namespace: config.METRIC_NAMESPACE,
  write: (line) => process.stderr.write(line),
  nowMs: clock.nowMs,
});
const db = createDynamoDb();

export const handler = createHandler({
  reportUsage: createReportUsage({
    counters: createQuotaCounters(db, config.QUOTA_COUNTERS_TABLE, telemetry),
    ledger: createUsageLedger(db, config.QUOTA_COUNTERS_TABLE),
    apiKeys: createApiKeyRegister(db, config.API_KEYS_TABLE),
    plans: config.PLANS,
  }),
  clock,
  telemetry,
});
