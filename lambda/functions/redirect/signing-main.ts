/** Wires what only signed URLs need; loaded on first need. */

import { lazily } from '../../base/lazily';
import { createVerifyRequest, type VerifyRequest } from '../../requests/verify-request';
import type { SecretsWiring, Wiring } from './wiring';

export function wireSigning({ config, readSecret, clock }: Wiring & SecretsWiring): VerifyRequest {
  // It never changes: another value would end every signer.
  const readMaster = lazily(() => readSecret(config.SIGNER_SECRET_ID));
  return createVerifyRequest({ readMaster, nowMs: clock.nowMs });
}
