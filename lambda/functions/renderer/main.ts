/** Makes the services of the renderer function. */

import { noSecrets, readKeyOf, readSecret } from '../../aws/secrets/secrets';
import { lazily } from '../../base/lazily';
import { createImageLibrary } from '../../images/s3/open-library';
import { userAgentOf } from '../../stock/providers/core';
import { startFunction } from '../start-function';
import { rendererHandler } from './handler';
import { settings } from './settings';

const { config, clock, telemetry } = startFunction('renderer', settings, process.env);
const secrets = noSecrets(clock);
const readKey = (name: string) => readKeyOf((id) => readSecret(secrets, id), config.PROVIDER_SECRET_ID, name);
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
  ...(contentSecretId !== undefined && {
    readContentCredentials: () => readSecret(secrets, contentSecretId),
  }),
  reportUse: async (...report) => (await loadReports())(...report),
  clock,
  telemetry,
});
