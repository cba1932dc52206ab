/** Opens the bucket, providers and functions of an instance, which a known image does not need. */

import { connectLambda, invokeFunction, invokeLater, readUnreservedExecutions } from './aws/lambda';
import { readProviderKey } from './aws/secrets/provider-key';
import type { ReadSecret } from './aws/secrets/secrets';
import { createExpiringCache } from './base/expiring-cache';
import type { StockProviderName } from './contract/providers';
import type { RenditionJob, RenditionOutcome, UseReport } from './images/renderer-job';
import { openImageStore } from './images/stores/open-image-store';
import { readExecutions } from './quota/executions';
import type { Connections, Services } from './services';
import { createReadPhotoIndex } from './stock/library/photo-index';
import { createProvider } from './stock/providers/providers';
import type { StockProvider } from './stock/stock-provider';

/** URLs that an instance remembers, at some 300 bytes each. */
const urlsRememberedMax = 1_000;
const renditionsRememberedMax = 5_000;

/** Connects without a call. @param contact of the operator, for providers: an e-mail address or a URL */
export function createConnections(
  services: Pick<Services, 'database' | 'clock' | 'random' | 'config'>,
  readSecret: ReadSecret,
  contact: string,
): Connections {
  const { config, clock } = services;
  const bucket = openImageStore(config.IMAGE_STORE);
  const settings = {
    readKey: (name: string) => readProviderKey(readSecret, config.PROVIDER_SECRET_ID, name),
    contact,
    clock,
    endpoints: config.PROVIDER_ENDPOINTS,
    quotas: config.PROVIDER_QUOTAS,
    readPhotoIndex: createReadPhotoIndex({ ...services, tables: { images: config.IMAGES_TABLE }, bucket }),
  };
  const providers = new Map<StockProviderName, StockProvider>();
  return {
    lambda: connectLambda(),
    executions: createExpiringCache(2),
    bucket,
    imageDomain: {
      baseUrl: config.IMAGE_BASE_URL,
      keyPairId: config.SIGNING_KEY_PAIR_ID,
      readPrivateKey: () => readSecret(config.SIGNING_SECRET_ID),
      signedUrls: createExpiringCache(urlsRememberedMax),
    },
    findProvider(name) {
      const provider = providers.get(name) ?? createProvider(name, settings);
      providers.set(name, provider);
      return provider;
    },
    renditions: createExpiringCache(renditionsRememberedMax),
    ...(config.DRAW_WITHOUT_PROVIDERS && { onUnreached: sayUnreached() }),
  };
}

/** Makes the calls of Lambda functions for a request, which end by its deadline. */
export function functionsFor(
  services: Pick<Services, 'clock' | 'deadline' | 'telemetry' | 'config'>,
  { lambda, executions }: Pick<Connections, 'lambda' | 'executions'>,
) {
  const { RENDERER_FUNCTION: renderer, GENERATOR_FUNCTION: generator } = services.config;
  return {
    renderer: {
      async render(job: RenditionJob) {
        return (await invokeFunction(services, lambda, renderer, job)) as RenditionOutcome;
      },
    },
    generatorQueue: { handOver: (job: object) => invokeLater(services, lambda, generator, job) },
    handOverUse: (use: Omit<UseReport, 'kind'>) =>
      invokeLater(services, lambda, renderer, { kind: 'report-use', ...use }),
    unreservedExecutions: () =>
      readExecutions(services, executions, () => readUnreservedExecutions(services, lambda)),
  };
}

/** Tells who runs the local service, once, that no provider is reached. */
function sayUnreached(): () => void {
  let isSaid = false;
  return () => {
    if (!isSaid) process.stderr.write(unreached);
    isSaid = true;
  };
}

const unreached =
  'No photo provider is reached, so images are drawn until one answers. Is there a network? npm run image-redirect -- providers says more.\n';
