/** Wires the search for a stock image; apart from the rest of a miss, as its dictionaries are megabytes. */

import { createReadKey } from '../../aws/secrets/provider-keys';
import type { Telemetry } from '../../base/telemetry';
import { stockProviders, stockSlots } from '../../contract/providers';
import { createImageLibrary } from '../../images/s3/open-library';
import type { CachedImages } from '../../stock/cached-images';
import { createFindImage, type FindImage, type FindImageDeps } from '../../stock/find-image';
import { orDrawn } from '../../stock/or-drawn';
import { createPhotoProvider, createReadPhotoIndex } from '../../stock/providers/library';
import { createProviders } from '../../stock/providers/providers';
import { createInvokeRenderer } from '../aws/invoke';
import type { MissWiring, Wiring } from './wiring';

/** @param contact how providers can reach who operates the service */
export function wireStock(
  wiring: Wiring & MissWiring,
  cachedImages: CachedImages,
  contact: () => string,
): FindImage {
  const { config, clock, lambda } = wiring;
  const createProvider = createProviders({
    readKey: createReadKey(wiring.readSecret, config.PROVIDER_SECRET_ID),
    contact,
    clock,
    endpoints: config.PROVIDER_ENDPOINTS,
    quotas: config.PROVIDER_QUOTAS,
  });
  const readIndex = createReadPhotoIndex(createImageLibrary(config.IMAGE_STORE));
  const slots = stockSlots.map((slot) => [slot, createProvider(config.SLOT_BINDINGS[slot])]);
  const deps: FindImageDeps = {
    ...wiring,
    cachedImages,
    libraryOf: (photos) => createPhotoProvider(readIndex, photos),
    imageDelivery: config.IMAGE_DELIVERY,
    providerOf: (wanted) => {
      const name = stockProviders.find((each) => each === wanted);
      return name && createProvider(name);
    },
    slots: Object.fromEntries(slots) as FindImageDeps['slots'],
    renderer: createInvokeRenderer(lambda, config.RENDERER_FUNCTION, clock),
  };
  if (!config.DRAW_WITHOUT_PROVIDERS) return createFindImage(deps);
  // That providers are not reached is said in one line, and not for each request.
  const { telemetry } = wiring;
  const error: Telemetry['error'] = (message, fault, fields) => {
    if (fields?.['kind'] !== 'unavailable') telemetry.error(message, fault, fields);
  };
  const find = createFindImage({ ...deps, telemetry: { ...telemetry, error } });
  const sandbox = createProvider('sandbox');
  const draw = createFindImage({
    ...deps,
    slots: { stock_a: sandbox, stock_b: sandbox, stock_c: sandbox },
    cachedImages: { ...cachedImages, store: () => Promise.resolve() },
  });
  return orDrawn(find, draw, clock, () => process.stderr.write(unreached));
}

/** What who runs the local service is told. */
const unreached =
  'No photo provider is reached, so images are drawn until one answers. Is there a network? npm run providers says more.\n';
