/** Draws the image where no stock provider is reached: for the local service, which shows something without a network. */

import type { Clock } from '../base/clock';
import type { FindImage } from './find-image';

/** How long a drawing is kept in the place of a photo, in milliseconds: providers may be reached again soon. */
const drawingKeptMs = 60_000;

/**
 * @param find searches at the providers
 * @param draw has the sandbox draw the image, and stores nothing as the answer to the request
 * @param onUnreached is called for the first drawing, and again after a provider has answered in between
 */
export function orDrawn(
  find: FindImage,
  draw: FindImage,
  clock: Pick<Clock, 'nowMs'>,
  onUnreached: () => void,
): FindImage {
  let isReached = true;
  return async (request, ...context) => {
    const found = await find(request, ...context);
    if (found.outcome === 'found' && found.cache === 'MISS') isReached = true;
    // An image that is named is that one or none.
    if (found.outcome !== 'unavailable' && found.outcome !== 'limited') return found;
    if (request.pick !== undefined) return found;
    const drawn = await draw(request, ...context);
    if (drawn.outcome !== 'found') return found;
    if (isReached) onUnreached();
    isReached = false;
    return { ...drawn, image: { ...drawn.image, keepUntilMs: clock.nowMs() + drawingKeptMs } };
  };
}
