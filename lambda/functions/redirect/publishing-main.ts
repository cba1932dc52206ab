/** Wires what only the records of callers with an API key need; loaded on first need. */

import type { Database } from '../../aws/dynamodb/call';
import { createApiKeyRegister } from '../../credentials/dynamodb/api-key-register';
import { createPublishing, publishOrderOf } from '../../pages/publishing';
import { createPaidImages } from '../../quota/dynamodb/paid-images';
import type { SecretsWiring, Wiring } from './wiring';

/** @param db for the signers of an account and the marks of paid images */
export function wirePublishing(wiring: Wiring & SecretsWiring, db: Database) {
  const publishing = createPublishing({
    ...wiring,
    credentialsOf: createApiKeyRegister(db, wiring.config.API_KEYS_TABLE).ofAccount,
    paidImages: createPaidImages(db, wiring.config.QUOTA_COUNTERS_TABLE),
  });
  return { publishing, publishOrderOf };
}

/** What publishes the records of callers with an API key. */
export type PublishingPart = ReturnType<typeof wirePublishing>;
