/** Wires what only requests need that name a signer or a site key; loaded on first need. */

import type { Database } from '../../aws/dynamodb/call';
import { createPaidImages } from '../../quota/dynamodb/paid-images';
import { createVerifyRequest, type VerifyRequest } from '../../requests/verify-request';
import { createServeOnce, type ServeOnce } from '../../serving/serve-once';
import type { SecretsWiring, Wiring } from './wiring';

/** Charges each image once a day. */
export function wireOnce(wiring: Wiring, db: Database): ServeOnce {
  const paidImages = createPaidImages(db, wiring.config.QUOTA_COUNTERS_TABLE);
  return createServeOnce({ ...wiring, paidImages });
}

/** Verifies signed URLs with the keys that follow from the master secret. */
export function wireSigning({ readMaster, clock }: Wiring & SecretsWiring): VerifyRequest {
  return createVerifyRequest({ readMaster, nowMs: clock.nowMs });
}
