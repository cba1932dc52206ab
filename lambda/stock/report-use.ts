/** Reports the use of an image to its stock provider, as the provider's terms ask, after the caller has been answered. */

import type { Telemetry } from '../base/telemetry';
import type { UseReport } from '../images/renderer-job';
import { ProviderFailure, type StockProvider } from './stock-provider';

export interface ReportUseDeps {
  /** The provider's adapter, or `undefined` for a name that is not known (any more). */
  readonly providerOf: (name: string) => StockProvider | undefined;
  readonly telemetry: Telemetry;
}

/** @throws `ProviderFailure` that may pass, so that the report is made again; any other is logged and dropped. */
export type ReportUse = (report: UseReport, signal: AbortSignal) => Promise<void>;

export function createReportUse({ providerOf, telemetry }: ReportUseDeps): ReportUse {
  return async ({ provider: name, url }, signal) => {
    const provider = providerOf(name);
    if (!provider?.reportUse)
      return telemetry.info('A provider that wants no reports got one', { provider: name });
    try {
      await provider.reportUse(url, signal);
      telemetry.count('usageReports', { provider: name, outcome: 'made' });
    } catch (error) {
      const isFinal =
        error instanceof ProviderFailure && (error.kind === 'rejected' || error.kind === 'malformed');
      telemetry.count('usageReports', { provider: name, outcome: isFinal ? 'dropped' : 'failed' });
      if (!isFinal) throw error;
      telemetry.error('A usage report was refused', error, { provider: name });
    }
  };
}
