/** Makes the services of the renderer function. */

import { createReadKey } from '../../aws/secrets/provider-keys';
import { createReadSecret } from '../../aws/secrets/read-secret';
import { lazily } from '../../base/lazily';
import { createImageLibrary } from '../../images/s3/open-library';
import { userAgentOf } from '../../stock/providers/core';
import { startFunction } from '../start-function';
import { rendererHandler } from './handler';
import { settings } from './settings';

const { config, clock, telemetry } = startFunction('renderer', settings, process.env);
const readSecret = createReadSecret(clock);
const readKey = createReadKey(readSecret, config.PROVIDER_SECRET_ID);
const { CONTENT_SECRET_ID: contentSecretId } = config;

const loadReports = lazily(async () =>
  (await import('./report-main')).wireReports({ config, readKey, clock, telemetry }),
);

/** Entry point of the deployed function. */
export const handler = rendererHandler({
  bucket: createImageLibrary(config.IMAGE_STORE),
  fetching: {
    // Only local fake providers may be reached on this machine.
    allowedLoopback: Object.values(config.PROVIDER_ENDPOINTS).map((endpoint) => new URL(endpoint).host),
    userAgent: userAgentOf({ contact: () => config.CONTACT }),
  },
  ...(contentSecretId !== undefined && { readContentCredentials: () => readSecret(contentSecretId) }),
  reportUse: async (...report) => (await loadReports())(...report),
  clock,
  telemetry,
});
