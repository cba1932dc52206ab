/** Wires the renderer function to its environment. */

import { connectDynamoDb } from '../../aws/dynamodb';
import { createReadKey } from '../../aws/secrets/provider-keys';
import { createReadSecret } from '../../aws/secrets/read-secret';
import { lazily } from '../../base/lazily';
import type { SignImage } from '../../images/content-credentials';
import { createOriginalFetcher } from '../../images/fetch/fetch-original';
import { createRender, type SceneRequest } from '../../images/render';
import { createImageLibrary } from '../../images/s3/open-library';
import { createSharpCodec } from '../../images/sharp/sharp-codec';
import { createItemStore } from '../../stock/dynamodb/item-store';
import { userAgentOf } from '../../stock/providers/provider-settings';
import { startFunction } from '../start-function';
import { createHandler } from './handler';
import { settings } from './settings';

const { config, clock, telemetry } = startFunction('renderer', settings, process.env);
const contact = () => config.CONTACT;
const readSecret = createReadSecret(clock);
const readKey = createReadKey(readSecret, config.PROVIDER_SECRET_ID);

const fetchOriginal = createOriginalFetcher({
  // Only local fake providers may be reached on this machine.
  allowedLoopback: Object.values(config.PROVIDER_ENDPOINTS).map((endpoint) => new URL(endpoint).host),
  userAgent: () => userAgentOf({ contact }),
});

const codec = createSharpCodec();

const db = connectDynamoDb().client;
const cache = createItemStore(db, config.CACHE_TABLE, clock);

const loadReports = lazily(async () =>
  (await import('./report-main')).wireReports({ config, readKey, cache, clock, telemetry }),
);

/** The C2PA library is loaded with the first AI image. */
function signImageWith(secretId: string | undefined): SignImage | undefined {
  if (secretId === undefined) return undefined;
  const load = lazily(async () =>
    (await import('../../images/c2pa/sign-image')).createSignImage(() => readSecret(secretId)),
  );
  return async (rendition, edit) => (await load())(rendition, edit);
}

const rendering = {
  library: createImageLibrary(config.IMAGE_STORE),
  codec,
  fetchOriginal,
  // The drawings are loaded by the service that draws alone.
  drawScene: async (scene: SceneRequest) => (await import('@image-redirect/scene')).drawScene(scene),
  signImage: signImageWith(config.CONTENT_SECRET_ID),
  telemetry,
};

/** Entry point of the deployed function. */
export const handler = createHandler({
  render: createRender(rendering),
  reportUse: async (...report) => (await loadReports())(...report),
  clock,
  telemetry,
});
