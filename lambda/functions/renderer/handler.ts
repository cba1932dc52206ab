/** Makes a rendition, or reports a use to its provider in the background. */

import type { Clock } from '../../base/clock';
import { runUntil } from '../../base/deadline';
import type { Telemetry } from '../../base/telemetry';
import { stockProviders } from '../../contract/providers';
import { rendererMarginMs } from '../../contract/timeouts';
import { type RenderServices, renderAndStore } from '../../images/render';
import type { RenditionJob, RenditionOutcome, UseReport } from '../../images/renderer-job';
import type { ProviderSettings } from '../../stock/providers/adapter';
import { ProviderFailure } from '../../stock/stock-provider';
import { type InvokedHandler, invokedHandler } from '../start-function';

interface RendererServices extends RenderServices {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly providers: ProviderSettings;
}

/**
 * Makes the handler. An error reaches the request that waits for a rendition. No request waits for a report, so
 * Lambda repeats it.
 */
export function rendererHandler(services: RendererServices): InvokedHandler<RenditionOutcome | undefined> {
  return invokedHandler(services, 'The renderer failed', (event: RenditionJob | UseReport, endsMs) =>
    runUntil(services.clock, endsMs - rendererMarginMs, (signal) =>
      'kind' in event ? sendReport(services, event, signal) : renderAndCount(services, event, signal),
    ),
  );
}

async function renderAndCount(
  services: RendererServices,
  job: RenditionJob,
  signal: AbortSignal,
): Promise<RenditionOutcome> {
  const { telemetry } = services;
  const outcome = await renderAndStore(services, job, signal);
  telemetry.count('renditions', { outcome: outcome.outcome, source: job.source.kind });
  if (outcome.outcome === 'unusable') telemetry.info('An original is unusable', { reason: outcome.reason });
  return outcome;
}

/**
 * Sends the report of a use. The budget of the provider has counted it before.
 * @throws a failure that may pass, so that Lambda repeats the report; another failure is logged
 */
async function sendReport(
  { providers, telemetry }: RendererServices,
  { provider, url }: UseReport,
  signal: AbortSignal,
): Promise<undefined> {
  const name = stockProviders.find((providerName) => providerName === provider);
  // The adapters with their large dictionaries are loaded here, because renditions do not need them.
  const { createProvider } = await import('../../stock/providers/providers');
  try {
    await (name && createProvider(name, providers).reportUse?.(url, signal));
    telemetry.count('usageReports', { provider, outcome: 'made' });
  } catch (error) {
    const isFinal = error instanceof ProviderFailure && ['rejected', 'malformed'].includes(error.kind);
    telemetry.count('usageReports', { provider, outcome: isFinal ? 'dropped' : 'failed' });
    if (!isFinal) throw error;
    telemetry.error('A usage report was refused', error, { provider });
  }
}
