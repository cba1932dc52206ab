/** Puts together what the commands for keys work with, from the tables of a service. */

import { untimed } from '../../lambda/aws/dynamodb';
import { createLogTelemetry } from '../../lambda/aws/telemetry/log-telemetry';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { systemClock, systemIds } from '../../lambda/base/system';
import { variables } from '../../lambda/contract/environment';
import { keysOf } from '../../lambda/credentials/key-store';
import type { ManageServices } from '../../lambda/credentials/manage-keys';
import { plansSetting } from '../../lambda/functions/api-settings';
import { readConfig } from '../../lambda/functions/config';
import { createQuotaCounters } from '../../lambda/quota/dynamodb/quota-counters';
import { dailyGenerations } from '../../lambda/quota/fair-use';
import { type ReportUsage, reportUsage } from '../../lambda/quota/usage/report-usage';
import type { Service } from '../service';

/** What the commands for keys read and change of a service. */
export interface OpenKeys {
  /** For the functions that issue, change and find keys. */
  readonly services: ManageServices;
  readonly reportUsage: ReportUsage;
  /** Images generated today for all accounts together; `undefined` where there is no ceiling. */
  readonly generatedToday: () => Promise<GeneratedToday | undefined>;
  readonly nowMs: () => number;
}

/** Images of the day against its ceiling. */
export interface GeneratedToday {
  readonly limit: number;
  readonly used: number;
}

/** @param tables names of the service's tables */
export function openKeys(
  service: Service,
  { apiKeys, quotaCounters }: Readonly<Record<'apiKeys' | 'quotaCounters', string>>,
): OpenKeys {
  const { client: database, plans: changes, generationsPerDay, readPrincipal } = service;
  const { nowMs } = systemClock;
  const { PLANS: plans } = readConfig({ [variables.plans]: changes }, { [variables.plans]: plansSetting });
  const services = {
    ...untimed(service.database),
    tables: { apiKeys },
    ids: systemIds,
    readPrincipal,
  };
  const telemetry = createLogTelemetry({ functionName: 'keys', write: () => undefined, nowMs });
  const counters = createQuotaCounters(database, quotaCounters, telemetry);
  const limit = Number(generationsPerDay);
  return {
    services,
    reportUsage: (...of) =>
      reportUsage(
        {
          ...services,
          tables: { quotaCounters },
          counters,
          readKeys: (account) => keysOf(services, account),
          plans,
          pastMonths: createExpiringCache(1),
        },
        ...of,
      ),
    generatedToday: async () =>
      limit > 0 ? { limit, used: await counters.taken(dailyGenerations(limit, nowMs())) } : undefined,
    nowMs,
  };
}
