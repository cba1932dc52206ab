/** Wires the authorizer function to its environment. */

import { connectDynamoDb, warmUp } from '../../aws/dynamodb';
import { createAuthorize } from '../../credentials/authorize';
import { createApiKeys } from '../../credentials/dynamodb/api-keys';
import { startFunction } from '../start-function';
import { createHandler } from './handler';
import { settings } from './settings';

const { config, clock, telemetry } = startFunction('authorizer', settings, process.env);
const database = connectDynamoDb();
const db = database.client;
const apiKeys = createApiKeys(db, config.API_KEYS_TABLE);

/** Opens the connection to the table, before the first request. */
export const prepare = (): Promise<void> => warmUp(database, config.API_KEYS_TABLE, 1);

/** Entry point of the deployed function. */
export const handler = createHandler({
  authorize: createAuthorize({ apiKeys, clock, telemetry }),
  tierKeys: config.TIER_KEYS,
});
