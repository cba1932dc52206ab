/** The images that the operator has added, their own photographs, and those that the operator has taken down. */

import type { Clock } from '../base/clock';
import type { StockMemory } from '../base/item-store';
import { orLogged } from '../base/or-logged';
import type { Telemetry } from '../base/telemetry';
import type { StockRequest } from '../requests/image-request';

/** As they are stored. */
export interface StoredOperatorImages {
  /** Paths of the files that list the operator's photographs; empty without any. */
  readonly photos: readonly string[];
  /** Picks of images that the operator has removed, oldest first. */
  readonly removed: readonly string[];
}

/** Key of the item of the stock memory that holds them. */
export const operatorImagesKey = 'OPERATOR';

/** How long an instance relies on what it has read, in milliseconds: a change is seen everywhere after it. */
export const operatorImagesSeenMs = 1_000;

/** Where none were added or removed. */
export const noOperatorImages: StoredOperatorImages = { photos: [], removed: [] };

/** Tells requests which images the operator has added and removed. */
export interface OperatorImages {
  /** The request with what this instance saw last, however long ago, without a call. */
  lastSeen(request: StockRequest): StockRequest;
  /** The request with what holds now, or with what was seen last while the table does not answer. Never throws. */
  current(request: StockRequest): Promise<StockRequest>;
}

/** An instance relies for a second on what it has read. What the table does not answer is logged. */
export function createOperatorImages(
  stockMemory: Pick<StockMemory, 'read'>,
  { nowMs }: Pick<Clock, 'nowMs'>,
  telemetry: Telemetry,
): OperatorImages {
  let stored = noOperatorImages;
  let readMs = -Infinity;
  const lastSeen: OperatorImages['lastSeen'] = (request) => {
    const { photos, removed } = stored;
    return photos.length + removed.length > 0
      ? { ...request, ...(photos.length > 0 && { photos }), ...(removed.length > 0 && { removed }) }
      : request;
  };
  return {
    lastSeen,
    async current(request) {
      if (nowMs() >= readMs + operatorImagesSeenMs)
        await orLogged(telemetry, 'The images of the operator were not looked up', async () => {
          const read = await stockMemory.read<StoredOperatorImages>(operatorImagesKey);
          stored = read?.value ?? noOperatorImages;
          readMs = nowMs();
        });
      return lastSeen(request);
    },
  };
}
