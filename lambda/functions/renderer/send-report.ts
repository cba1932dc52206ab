/** Sends a report of a use to its stock provider: what only these need, loaded with the first. */

import type { Clock } from '../../base/clock';
import type { Telemetry } from '../../base/telemetry';
import { stockProviders } from '../../contract/providers';
import type { UseReport } from '../../images/renderer-job';
import { createProviders, type ProvidersSettings } from '../../stock/providers/providers';
import { ProviderFailure } from '../../stock/stock-provider';

/** What sending reports needs of the services of the renderer. */
export interface ReportServices {
  readonly providers: ProvidersSettings;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/**
 * What a report takes of the provider's budget was taken by whoever handed it over.
 * @throws `ProviderFailure` that may pass, so that the report is sent again; any other is logged and dropped
 */
export async function sendReport(
  { providers, telemetry }: ReportServices,
  { provider, url }: UseReport,
  signal: AbortSignal,
): Promise<void> {
  const name = stockProviders.find((each) => each === provider);
  const adapter = name && createProviders(providers)(name);
  if (!adapter?.reportUse) return telemetry.info('A provider that wants no reports got one', { provider });
  try {
    await adapter.reportUse(url, signal);
    telemetry.count('usageReports', { provider, outcome: 'made' });
  } catch (error) {
    const isFinal = error instanceof ProviderFailure && ['rejected', 'malformed'].includes(error.kind);
    telemetry.count('usageReports', { provider, outcome: isFinal ? 'dropped' : 'failed' });
    if (!isFinal) throw error;
    telemetry.error('A usage report was refused', error, { provider });
  }
}
