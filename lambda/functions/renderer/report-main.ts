/** Sends reports of uses to stock providers: what only these need, loaded on first need. */

import type { Clock } from '../../base/clock';
import type { Telemetry } from '../../base/telemetry';
import { stockProviders } from '../../contract/providers';
import type { UseReport } from '../../images/renderer-job';
import { createProviders } from '../../stock/providers/providers';
import { ProviderFailure } from '../../stock/stock-provider';
import type { ConfigOf } from '../config';
import type { settings } from './settings';

interface ReportServices {
  readonly config: ConfigOf<typeof settings>;
  readonly readKey: (name: string) => Promise<string | undefined>;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** @throws `ProviderFailure` that may pass, so that the report is sent again; any other is logged and dropped. */
export type SendReport = (report: UseReport, signal: AbortSignal) => Promise<void>;

/** What a report takes of the provider's budget was taken by whoever handed it over. */
export function wireReports({ config, readKey, clock, telemetry }: ReportServices): SendReport {
  const providerOf = createProviders({
    readKey,
    contact: () => config.CONTACT,
    clock,
    endpoints: config.PROVIDER_ENDPOINTS,
  });
  return async ({ provider: wanted, url }, signal) => {
    const name = stockProviders.find((each) => each === wanted);
    const provider = name && providerOf(name);
    if (!provider?.reportUse)
      return telemetry.info('A provider that wants no reports got one', { provider: wanted });
    try {
      await provider.reportUse(url, signal);
      telemetry.count('usageReports', { provider: wanted, outcome: 'made' });
    } catch (error) {
      const isFinal =
        error instanceof ProviderFailure && (error.kind === 'rejected' || error.kind === 'malformed');
      telemetry.count('usageReports', { provider: wanted, outcome: isFinal ? 'dropped' : 'failed' });
      if (!isFinal) throw error;
      telemetry.error('A usage report was refused', error, { provider: wanted });
    }
  };
}
