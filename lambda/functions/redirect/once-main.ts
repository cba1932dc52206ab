/** Wires what only images need that a signer or site key shows; loaded on first need. */

import type { Database } from '../../aws/dynamodb/call';
import { createPaidImages } from '../../quota/dynamodb/paid-images';
import { createServeOnce, type ServeOnce } from '../../serving/serve-once';
import type { Wiring } from './wiring';

/** @param charged how often an image is charged */
export function wireOnce(wiring: Wiring, db: Database, charged: 'day' | 'month'): ServeOnce {
  const paidImages = createPaidImages(db, wiring.config.QUOTA_COUNTERS_TABLE);
  return createServeOnce({ ...wiring, paidImages, charged });
}
