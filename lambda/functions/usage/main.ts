/** Wires the usage function to its environment. */

import { connectDynamoDb } from '../../aws/dynamodb';
import { servicesOf } from '../../aws/dynamodb/call';
import { keysOf } from '../../credentials/key-store';
import { edgeOf } from '../../http/edge';
import { createQuotaCounters } from '../../quota/dynamodb/quota-counters';
import { createUsageHistory } from '../../quota/dynamodb/usage-history';
import { createLedger } from '../../quota/ledger';
import { createReportUsage } from '../../quota/usage/report-usage';
import { startFunction } from '../start-function';
import { createHandler } from './handler';
import { settings } from './settings';

const { config, clock, telemetry } = startFunction('usage', settings, process.env);
const db = connectDynamoDb().client;

const tables = { apiKeys: config.API_KEYS_TABLE };
const history = createUsageHistory(db, config.QUOTA_COUNTERS_TABLE);
const counters = createQuotaCounters(db, config.QUOTA_COUNTERS_TABLE, telemetry);

/** Entry point of the deployed function. */
export const handler = createHandler({
  ledger: createLedger({ counters, clock, telemetry }),
  reportUsage: createReportUsage({
    counters,
    history,
    readKeys: (account) => keysOf({ ...servicesOf(db), tables }, account),
    plans: config.PLANS,
  }),
  edge: edgeOf(config),
  clock,
  telemetry,
});
