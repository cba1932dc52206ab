/** Puts together what the commands for keys work with, from the tables of a service. */

import { randomBytes } from 'node:crypto';
import { createApiKeyRegister } from '../../lambda/adapters/dynamodb/keys/api-key-register';
import { createQuotaCounters } from '../../lambda/adapters/dynamodb/quota/quota-counters';
import { createUsageLedger } from '../../lambda/adapters/dynamodb/quota/usage-ledger';
import { createSdkDatabase } from '../../lambda/adapters/dynamodb/sdk-database';
import { systemClock } from '../../lambda/adapters/system/system-clock';
import { createLogTelemetry } from '../../lambda/adapters/telemetry/log-telemetry';
import { variables } from '../../lambda/contract/environment';
import { readConfig } from '../../lambda/functions/config';
import { plansSetting } from '../../lambda/functions/plans-setting';
import { createManageKeys, type ManageKeys } from '../../lambda/usecases/keys/manage-keys';
import { createReportUsage, type ReportUsage } from '../../lambda/usecases/usage/report-usage';
import type { Store } from './stores/store';

export interface OpenKeys {
  readonly keys: ManageKeys;
  readonly reportUsage: ReportUsage;
  readonly nowMs: () => number;
}

export function openKeys(store: Store): OpenKeys {
  const client = createSdkDatabase(store.client);
  const { nowMs } = systemClock;
  const { PLANS: plans } = readConfig(
    { [variables.plans]: store.plans },
    { [variables.plans]: plansSetting },
  );
  const register = createApiKeyRegister(client, store.apiKeysTable);
  const telemetry = createLogTelemetry({ functionName: 'keys', write: () => undefined, nowMs });
  return {
    keys: createManageKeys({ register, clock: systemClock, randomBytes }),
    reportUsage: createReportUsage({
      counters: createQuotaCounters(client, store.quotaCountersTable, telemetry),
      ledger: createUsageLedger(client, store.quotaCountersTable),
      apiKeys: register,
      plans,
    }),
    nowMs,
  };
}
