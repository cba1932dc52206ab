/** Puts together what the commands for keys work with, from the tables of a service. */

import { untimed } from '../../lambda/aws/dynamodb';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { systemClock, systemIds } from '../../lambda/base/system';
import { variables } from '../../lambda/contract/environment';
import { keysOf } from '../../lambda/credentials/key-store';
import type { ManageServices } from '../../lambda/credentials/manage-keys';
import { readConfig } from '../../lambda/functions/config';
import { plansSetting } from '../../lambda/functions/operator-settings';
import { generationDayOf } from '../../lambda/quota/caller-limits';
import { usedOf } from '../../lambda/quota/take';
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
  const { plans: changes, generationsPerDay, readPrincipal } = service;
  const { nowMs } = systemClock;
  const { PLANS: plans } = readConfig({ [variables.plans]: changes }, { [variables.plans]: plansSetting });
  const services = {
    ...untimed(service.database),
    tables: { apiKeys },
    ids: systemIds,
    readPrincipal,
  };
  const counters = { ...services, tables: { quotaCounters } };
  const limit = Number(generationsPerDay);
  return {
    services,
    reportUsage: (...of) =>
      reportUsage(
        {
          ...counters,
          readKeys: (account) => keysOf(services, account),
          plans,
          pastMonths: createExpiringCache(1),
        },
        ...of,
      ),
    generatedToday: async () =>
      limit > 0 ? { limit, used: await usedOf(counters, generationDayOf(limit, nowMs())) } : undefined,
    nowMs,
  };
}
