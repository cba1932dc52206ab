/** Makes the services of the function `authorizer`. */

import { connectDynamoDb } from '../../aws/dynamodb';
import { createKeyCaches } from '../../credentials/authorize';
import { authorizerSettings } from '../../services/settings';
import { startFunction, warmUp } from '../start-function';
import { createAuthorizerHandler } from './handler';

const { config, clock, telemetry } = startFunction('authorizer', authorizerSettings);
const database = connectDynamoDb();
const tables = { apiKeys: config.API_KEYS_TABLE };

/** Opens the connection to the table before the first request. */
export const openConnections = (): Promise<void> => warmUp(database, tables.apiKeys, 1);

/** Entry point of the function. `warm-main.ts` is deployed, which exports it. */
export const handler = createAuthorizerHandler({
  database,
  tables,
  clock,
  random: Math.random,
  telemetry,
  keyCaches: createKeyCaches(),
  tierKeys: config.TIER_KEYS,
  edgeHash: config.EDGE_SHA256,
});
