/** Connects the services that find and make images: the image store, the stock providers and other functions. */

import { readExecutions } from '../aws/executions';
import { connectLambda, invokeFunction, invokeLater, readUnreservedExecutions } from '../aws/lambda';
import { type ReadSecret, readProviderKey } from '../aws/secrets/secrets';
import { createExpiringCache } from '../base/expiring-cache';
import type { StockProviderName } from '../contract/providers';
import type { AiServices } from '../generation/ai-services';
import type { PickServices } from '../images/picked-images';
import type { RenditionOutcome } from '../images/renderer-job';
import type { StoredPath } from '../images/stored-path';
import { openImageStore } from '../images/stores/open-image-store';
import { createPhotoIndexReader } from '../stock/library/photo-index';
import { createProvider } from '../stock/providers/providers';
import type { StockProvider } from '../stock/stock-provider';
import type { StockServices } from '../stock/stock-services';
import type { Connections, Services } from './services';

/** The services of the code in `serving/image-code.ts`. */
export type ImageServices = StockServices & AiServices & PickServices;

/** Most URLs that an instance remembers, at some 300 bytes each. */
const urlsRememberedMax = 1_000;
const renditionsRememberedMax = 5_000;

/**
 * Connects an instance to the image store, the providers and Lambda, without a call.
 * @param contact of the operator, for providers: an e-mail address or a URL
 */
export function connectImageServices(
  services: Pick<Services, 'database' | 'clock' | 'random' | 'config'>,
  readSecret: ReadSecret,
  contact: string,
): Connections {
  const { config, clock } = services;
  const imageStore = openImageStore(config.IMAGE_STORE);
  const tables = { images: config.IMAGES_TABLE };
  const providerSettings = {
    readKey: (name: string) => readProviderKey(readSecret, config.PROVIDER_SECRET_ID, name),
    contact,
    clock,
    endpoints: config.PROVIDER_ENDPOINTS,
    quotas: config.PROVIDER_QUOTAS,
    readPhotoIndex: createPhotoIndexReader({ ...services, tables, imageStore }),
  };
  const providers = new Map<StockProviderName, StockProvider>();
  return {
    lambda: connectLambda(),
    executions: createExpiringCache(2),
    imageStore,
    imageDomain: {
      baseUrl: config.IMAGE_BASE_URL,
      keyPairId: config.SIGNING_KEY_PAIR_ID,
      readPrivateKey: () => readSecret(config.SIGNING_SECRET_ID),
      signedUrls: createExpiringCache(urlsRememberedMax),
    },
    findProvider(name) {
      const provider = providers.get(name) ?? createProvider(name, providerSettings);
      providers.set(name, provider);
      return provider;
    },
    renditions: createExpiringCache(renditionsRememberedMax),
  };
}

/** Creates the services of a request for an unknown image. Its deadline bounds the calls of functions. */
export async function createImageServices(services: Services): Promise<ImageServices> {
  const connections = await services.connect(services.rootUrl);
  const { lambda, executions } = connections;
  const { config } = services;
  return {
    ...services,
    ...connections,
    plans: config.PLANS,
    aiLabel: config.AI_LABEL,
    generationsPerDay: config.GENERATIONS_PER_DAY,
    // Somebody may empty a folder while the service runs. A bucket is not asked: that would delay each image.
    ...(config.IMAGE_STORE.startsWith('file:') && {
      isStored: async (path: StoredPath) => (await connections.imageStore.get(path)) !== undefined,
    }),
    renderer: {
      render: async (job) =>
        (await invokeFunction(services, lambda, config.RENDERER_FUNCTION, job)) as RenditionOutcome,
    },
    generatorQueue: { handOver: (job) => invokeLater(services, lambda, config.GENERATOR_FUNCTION, job) },
    handOverUse: (use) =>
      invokeLater(services, lambda, config.RENDERER_FUNCTION, { kind: 'report-use', ...use }),
    countUnreservedExecutions: () =>
      readExecutions(services, executions, () => readUnreservedExecutions(services, lambda)),
  };
}
