/** Wires the usage function to its environment. */

import { connectDynamoDb } from '../../aws/dynamodb';
import { servicesOf } from '../../aws/dynamodb/call';
import { createExpiringCache } from '../../base/expiring-cache';
import { keysOf } from '../../credentials/key-store';
import { edgeOf } from '../../http/edge';
import { createQuotaCounters } from '../../quota/dynamodb/quota-counters';
import { createLedger } from '../../quota/ledger';
import { type ReportServices, type ReportUsage, reportUsage } from '../../quota/usage/report-usage';
import { startFunction } from '../start-function';
import { usageHandler } from './handler';
import { settings } from './settings';

const { config, clock, telemetry } = startFunction('usage', settings, process.env);
const db = connectDynamoDb().client;

const tables = { apiKeys: config.API_KEYS_TABLE, quotaCounters: config.QUOTA_COUNTERS_TABLE };
const pastMonths: ReportServices['pastMonths'] = createExpiringCache(1_000);
const counters = createQuotaCounters(db, config.QUOTA_COUNTERS_TABLE, telemetry);
const report: ReportUsage = (caller, nowMs) => {
  const services = { ...servicesOf(db), tables, counters, pastMonths, plans: config.PLANS };
  const readKeys: ReportServices['readKeys'] = (account) => keysOf(services, account);
  return reportUsage({ ...services, readKeys }, caller, nowMs);
};
const ledger = createLedger({ counters, clock, telemetry });

/** Entry point of the deployed function. */
export const handler = usageHandler({ ledger, reportUsage: report, clock, telemetry }, edgeOf(config));
