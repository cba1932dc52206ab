/** Wires the authorizer function to its environment. */

import { createDynamoDb } from '../../adapters/dynamodb/client';
import { createApiKeys } from '../../adapters/dynamodb/keys/api-keys';
import { warmUp } from '../../adapters/dynamodb/warm-up';
import { systemClock } from '../../adapters/system/system-clock';
import { createLogTelemetry } from '../../adapters/telemetry/log-telemetry';
import { createAuthorize } from '../../usecases/keys/authorize';
import { readConfig } from '../config';
import { createHandler } from './handler';
import { settings } from './settings';

const config = readConfig(process.env, settings);
const telemetry = createLogTelemetry({
  functionName: 'authorizer',
  namespace: config.METRIC_NAMESPACE,
  write: (line) => process.stderr.write(line),
  nowMs: systemClock.nowMs,
});
const db = createDynamoDb();
const apiKeys = createApiKeys(db, config.API_KEYS_TABLE);

/** What can be done before the first request. */
export const start = (): Promise<void> => warmUp(db, config.API_KEYS_TABLE);

export const handler = createHandler({
  authorize: createAuthorize({ apiKeys, clock: systemClock, telemetry }),
  tierKeys: config.TIER_KEYS,
});
