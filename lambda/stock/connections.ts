/** What only an image that is not known needs of the world, and what an instance remembers of that. */

import type { DatabaseServices } from '../aws/dynamodb';
import { connectLambda, invoke, invokeLater, type Lambda, unreservedExecutions } from '../aws/lambda';
import { readKeyOf, readSecret, type Secrets } from '../aws/secrets/secrets';
import { createExpiringCache, type ExpiringCache } from '../base/expiring-cache';
import type { Telemetry } from '../base/telemetry';
import type { StockProviderName } from '../contract/providers';
import type { GeneratorQueue } from '../generation/generate';
import type { Delivery } from '../images/delivery-urls/delivery';
import type { ImageLibrary } from '../images/image-library';
import { type Renderer, RendererBusy } from '../images/renderer';
import type { RenditionOutcome } from '../images/renderer-job';
import type { MadeRendition } from '../images/rendition-notes';
import { createImageLibrary } from '../images/s3/open-library';
import { createReadPhotoIndex } from './library/photo-index';
import type { ProviderSettings } from './providers/core';
import { createProvider } from './providers/providers';
import type { StockProvider } from './stock-provider';
import type { StockServices } from './stock-services';

/** Made once by each instance. */
export interface Connections {
  readonly lambda: Lambda;
  /** Masters, renditions and the operator's photographs. */
  readonly bucket: ImageLibrary;
  readonly delivery: Delivery;
  /** The adapter of a provider, bound to a slot or not. */
  readonly providerOf: (name: StockProviderName) => StockProvider;
  /** Renditions that this instance has met, by their paths. */
  readonly renditions: ExpiringCache<MadeRendition>;
  /** Present where images are drawn when no provider is reached; called for each that is not. */
  readonly onUnreached?: () => void;
}

/** The environment variables that decide it. */
export interface ConnectionSettings {
  readonly IMAGES_TABLE: string;
  readonly IMAGE_BASE_URL: string;
  readonly IMAGE_STORE: string;
  readonly RENDERER_FUNCTION: string;
  readonly GENERATOR_FUNCTION: string;
  readonly SIGNING_SECRET_ID: string;
  readonly SIGNING_KEY_PAIR_ID: string;
  readonly PROVIDER_SECRET_ID: string | undefined;
  readonly PROVIDER_ENDPOINTS: ProviderSettings['endpoints'];
  readonly PROVIDER_QUOTAS: NonNullable<ProviderSettings['quotas']>;
  readonly DRAW_WITHOUT_PROVIDERS: boolean;
}

/** At some 300 bytes each. */
const urlsRememberedMax = 1_000;
const renditionsRememberedMax = 5_000;

/**
 * Makes no call yet.
 * @param secrets what the instance reads of them
 * @param contact how providers can reach who operates the service
 */
export function connect(
  services: Omit<DatabaseServices, 'deadline'> & { readonly config: ConnectionSettings },
  secrets: Secrets,
  contact: () => string,
): Connections {
  const { config, clock } = services;
  const bucket = createImageLibrary(config.IMAGE_STORE);
  const settings: ProviderSettings = {
    readKey: (name) => readKeyOf((id) => readSecret(secrets, id), config.PROVIDER_SECRET_ID, name),
    contact,
    clock,
    endpoints: config.PROVIDER_ENDPOINTS,
    quotas: config.PROVIDER_QUOTAS,
    readPhotoIndex: createReadPhotoIndex({
      ...services,
      tables: { images: config.IMAGES_TABLE },
      bucket,
    }),
  };
  const providers = new Map<StockProviderName, StockProvider>();
  return {
    lambda: connectLambda(),
    bucket,
    delivery: {
      baseUrl: config.IMAGE_BASE_URL,
      keyPairId: config.SIGNING_KEY_PAIR_ID,
      readPrivateKey: () => readSecret(secrets, config.SIGNING_SECRET_ID),
      signed: createExpiringCache(urlsRememberedMax),
    },
    providerOf(name) {
      const provider = providers.get(name) ?? createProvider(name, settings);
      providers.set(name, provider);
      return provider;
    },
    renditions: createExpiringCache(renditionsRememberedMax),
    ...(config.DRAW_WITHOUT_PROVIDERS && { onUnreached: sayUnreached() }),
  };
}

/** What invoking functions needs of `Services`: the deadline of the request is that of each call. */
type InvokingServices = Pick<DatabaseServices, 'clock' | 'deadline'> & {
  readonly config: ConnectionSettings;
  readonly telemetry: Telemetry;
};

/** The functions that work for a request. */
export function functionsFor(
  services: InvokingServices,
  { lambda }: Pick<Connections, 'lambda'>,
): {
  readonly renderer: Renderer;
  readonly generatorQueue: GeneratorQueue;
  readonly unreservedExecutions: () => Promise<number>;
} & Pick<StockServices, 'handOverUse'> {
  const { RENDERER_FUNCTION: renderer, GENERATOR_FUNCTION: generator } = services.config;
  return {
    renderer: {
      async render(job, deadlineMs) {
        const invoked = await invoke(services, lambda, renderer, job, deadlineMs);
        if (invoked.outcome === 'busy') throw new RendererBusy(invoked.reason);
        return invoked.answer as RenditionOutcome;
      },
    },
    generatorQueue: { handOver: (job) => invokeLater(services, lambda, generator, job) },
    handOverUse: (use) => invokeLater(services, lambda, renderer, { kind: 'report-use', ...use }),
    unreservedExecutions: () => unreservedExecutions(services, lambda),
  };
}

/** That providers are not reached is said in one line, once, to who runs the local service. */
function sayUnreached(): () => void {
  let isSaid = false;
  return () => {
    if (!isSaid) process.stderr.write(unreached);
    isSaid = true;
  };
}

const unreached =
  'No photo provider is reached, so images are drawn until one answers. Is there a network? npm run providers says more.\n';
