/** Wires the usage function to its environment. */

import { connectDynamoDb } from '../../aws/dynamodb';
import { createExpiringCache } from '../../base/expiring-cache';
import { currentDeadline } from '../../base/request-deadline';
import { keysOf } from '../../credentials/key-store';
import { edgeOf } from '../../http/edge';
import { type ReportServices, type ReportUsage, reportUsage } from '../../quota/usage/report-usage';
import { startFunction } from '../start-function';
import { usageHandler } from './handler';
import { settings } from './settings';

/** How many limits that have refused an instance remembers. */
const refusalsMax = 10_000;

const { config, clock, telemetry } = startFunction('usage', settings, process.env);
const shared = {
  database: connectDynamoDb(),
  clock,
  random: Math.random,
  tables: { apiKeys: config.API_KEYS_TABLE, quotaCounters: config.QUOTA_COUNTERS_TABLE },
  refusals: createExpiringCache<true>(refusalsMax),
  telemetry,
};
const pastMonths: ReportServices['pastMonths'] = createExpiringCache(1_000);
const report: ReportUsage = (caller, nowMs) => {
  const services = { ...shared, deadline: currentDeadline(), pastMonths, plans: config.PLANS };
  const readKeys: ReportServices['readKeys'] = (account) => keysOf(services, account);
  return reportUsage({ ...services, readKeys }, caller, nowMs);
};

/** Entry point of the deployed function. */
export const handler = usageHandler({ ...shared, reportUsage: report }, edgeOf(config));
