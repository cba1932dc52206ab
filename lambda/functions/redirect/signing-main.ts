/** Wires what only signed URLs need; loaded on first need. */

import { createVerifyRequest, type VerifyRequest } from '../../requests/verify-request';
import type { SecretsWiring, Wiring } from './wiring';

export function wireSigning({ readMaster, clock }: Wiring & SecretsWiring): VerifyRequest {
  return createVerifyRequest({ readMaster, nowMs: clock.nowMs });
}
