/** Wires what only reports of uses need: the adapters of all providers; loaded on first need. */

import type { ReadKey } from '../../aws/secrets/provider-keys';
import type { Clock } from '../../base/clock';
import type { Cache } from '../../base/item-store';
import { systemIds as ids } from '../../base/system';
import type { Telemetry } from '../../base/telemetry';
import { stockProviders } from '../../contract/providers';
import { createBudget } from '../../stock/budget';
import { createProviders } from '../../stock/providers/providers';
import { createReportUse, type ReportUse } from '../../stock/report-use';
import type { ConfigOf } from '../config';
import type { settings } from './settings';

interface ReportWiring {
  readonly config: ConfigOf<typeof settings>;
  readonly readKey: ReadKey;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Reports a use to its provider once for an account and day. */
export function wireReports({ config, readKey, cache, clock, telemetry }: ReportWiring): ReportUse {
  const providerOf = createProviders({
    readKey,
    contact: () => config.CONTACT,
    clock,
    endpoints: config.PROVIDER_ENDPOINTS,
    quotas: config.PROVIDER_QUOTAS,
  });
  return createReportUse({
    budget: createBudget({ cache, clock, telemetry }),
    cache,
    clock,
    ids,
    telemetry,
    providerOf: (wanted) => {
      const name = stockProviders.find((each) => each === wanted);
      return name && providerOf(name);
    },
  });
}
