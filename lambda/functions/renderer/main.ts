/** Starts the renderer function. It makes renditions, and reports uses to providers. */

import { readProviderKey } from '../../aws/secrets/provider-key';
import { createSecretReader } from '../../aws/secrets/secrets';
import { openImageStore } from '../../images/stores/open-image-store';
import { rendererSettings } from '../../services/settings';
import { makeUserAgent } from '../../stock/providers/adapter';
import { startFunction } from '../start-function';
import { rendererHandler } from './handler';

const { config, clock, telemetry } = startFunction('renderer', rendererSettings);
const readSecret = createSecretReader(clock);
const { CONTENT_SECRET_ID: contentSecretId, PROVIDER_ENDPOINTS: endpoints } = config;
const contact = config.CONTACT;

/** Entry point of the deployed function. */
export const handler = rendererHandler({
  imageStore: openImageStore(config.IMAGE_STORE),
  fetching: {
    // On this machine, requests may go to local fake providers only.
    allowedLoopback: Object.values(endpoints).map((endpoint) => new URL(endpoint).host),
    userAgent: makeUserAgent({ contact }),
  },
  readContentCredentials: contentSecretId === undefined ? undefined : () => readSecret(contentSecretId),
  providers: {
    readKey: (name) => readProviderKey(readSecret, config.PROVIDER_SECRET_ID, name),
    contact,
    clock,
    endpoints,
  },
  clock,
  telemetry,
});
