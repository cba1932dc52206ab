/** Loads the code that finds and makes images. A known image does not need it. */

import type { Services } from './services';

/** Loads the code, bound to the services of one request. */
export async function loadImageCode(services: Services) {
  const { bindImageCode, createImageServices } = await import('./image-code');
  return bindImageCode(await createImageServices(services));
}
