/** Wires the authorizer function to its environment. */

import { createDynamoDb } from '../../adapters/dynamodb/client';
import { createApiKeys } from '../../adapters/dynamodb/keys/api-keys';
import { warmUp } from '../../adapters/dynamodb/warm-up';
import { createAuthorize } from '../../usecases/keys/authorize';
import { startFunction } from '../start-function';
import { createHandler } from './handler';
import { settings } from './settings';

const { config, clock, telemetry } = startFunction('authorizer', settings, process.env);
const db = createDynamoDb();
const apiKeys = createApiKeys(db, config.API_KEYS_TABLE);

/** Opens the connection to the tables, before the first request. */
export const prepare = (): Promise<void> => warmUp(db, config.API_KEYS_TABLE);

export const handler = createHandler({
  authorize: createAuthorize({ apiKeys, clock, telemetry }),
  tierKeys: config.TIER_KEYS,
});
