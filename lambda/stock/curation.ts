/** What the operator has decided about images: photographs of their own, and images that were taken down. */

import type { Clock } from '../base/clock';
import type { StockMemory } from '../base/item-store';
import { orLogged } from '../base/or-logged';
import type { Telemetry } from '../base/telemetry';
import type { StockRequest } from '../requests/image-request';

/** What is decided. */
export interface Curation {
  /** Paths of the files that list the operator's photographs; empty without any. */
  readonly photos: readonly string[];
  /** Picks of images that the operator has removed, oldest first. */
  readonly removed: readonly string[];
}

/** Key of the item of the stock memory that holds it. */
export const curationKey = 'CURATION';

/** How long an instance relies on what it has read, in milliseconds: a change is seen everywhere after it. */
export const curationSeenMs = 1_000;

/** Where nothing is decided. */
export const noCuration: Curation = { photos: [], removed: [] };

/** What the operator has decided about the images of a request. */
export interface Curate {
  /** The request with what this instance saw last, however long ago, without a call. */
  lastSeen(request: StockRequest): StockRequest;
  /** The request with what holds now, or with what was seen last while the table does not answer. Never throws. */
  current(request: StockRequest): Promise<StockRequest>;
}

/** An instance relies for a second on what it has read. What the table does not answer is logged. */
export function createCurate(
  stockMemory: Pick<StockMemory, 'read'>,
  { nowMs }: Pick<Clock, 'nowMs'>,
  telemetry: Telemetry,
): Curate {
  let curation = noCuration;
  let readMs = -Infinity;
  const lastSeen: Curate['lastSeen'] = (request) => {
    const { photos, removed } = curation;
    return photos.length + removed.length > 0
      ? { ...request, ...(photos.length > 0 && { photos }), ...(removed.length > 0 && { removed }) }
      : request;
  };
  return {
    lastSeen,
    async current(request) {
      if (nowMs() >= readMs + curationSeenMs)
        await orLogged(telemetry, 'What was decided about images was not looked up', async () => {
          const stored = await stockMemory.read<Curation>(curationKey);
          curation = stored?.value ?? noCuration;
          readMs = nowMs();
        });
      return lastSeen(request);
    },
  };
}
