/** Starts the renderer function. It makes renditions, and reports uses to providers in the background. */

import { createSecretReader, readProviderKey } from '../../aws/secrets/secrets';
import { runUntil } from '../../base/deadline';
import { stockProviders } from '../../contract/providers';
import { rendererMarginMs } from '../../contract/timeouts';
import { renderAndStore } from '../../images/render';
import type { RenditionJob, RenditionOutcome, UseReport } from '../../images/renderer-job';
import { openImageStore } from '../../images/stores/open-image-store';
import { rendererSettings } from '../../services/settings';
import { makeUserAgent } from '../../stock/providers/adapter';
import { ProviderFailure } from '../../stock/stock-provider';
import { createInvokedHandler, startFunction } from '../start-function';

const { config, clock, telemetry } = startFunction('renderer', rendererSettings);
const readSecret = createSecretReader(clock);
const { CONTENT_SECRET_ID: contentSecretId, PROVIDER_ENDPOINTS: endpoints, CONTACT: contact } = config;

const services = {
  imageStore: openImageStore(config.IMAGE_STORE),
  fetching: {
    // On this machine, requests may go to local fake providers only.
    allowedLoopback: Object.values(endpoints).map((endpoint) => new URL(endpoint).host),
    userAgent: makeUserAgent({ contact }),
  },
  readContentCredentials: contentSecretId === undefined ? undefined : () => readSecret(contentSecretId),
  clock,
  telemetry,
};
const providers = {
  readKey: (name: string) => readProviderKey(readSecret, config.PROVIDER_SECRET_ID, name),
  contact,
  clock,
  endpoints,
};

/**
 * Entry point of the deployed function. An error reaches the request that waits for a rendition. No request
 * waits for a report, so Lambda repeats it.
 */
export const handler = createInvokedHandler(
  services,
  'The renderer failed',
  (event: RenditionJob | UseReport, endsMs): Promise<RenditionOutcome | undefined> =>
    runUntil(clock, endsMs - rendererMarginMs, (signal) =>
      'kind' in event ? sendReport(event, signal) : renderAndCount(event, signal),
    ),
);

async function renderAndCount(job: RenditionJob, signal: AbortSignal): Promise<RenditionOutcome> {
  const outcome = await renderAndStore(services, job, signal);
  telemetry.count('renditions', { outcome: outcome.outcome, source: job.source.kind });
  if (outcome.outcome === 'unusable') telemetry.info('An original is unusable', { reason: outcome.reason });
  return outcome;
}

/**
 * Sends the report of a use. The budget of the provider has counted it before.
 * @throws a failure that may pass, so that Lambda repeats the report; another failure is logged
 */
async function sendReport({ provider, url }: UseReport, signal: AbortSignal): Promise<undefined> {
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
