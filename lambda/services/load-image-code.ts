/** Loads the code that finds and makes images, which a known image does not need. */

import type { Services } from './services';

/** Loads the code, with its services for one request. */
export async function loadImageCode(services: Services) {
  const { createImageServices, ...code } = await import('./image-code');
  return { ...code, services: await createImageServices(services) };
}
