/** Makes the services of the generator function. */

import { connectDynamoDb } from '../../aws/dynamodb';
import { noSecrets, readKeyOf, readSecret } from '../../aws/secrets/secrets';
import { createExpiringCache } from '../../base/expiring-cache';
import { systemIds as ids } from '../../base/system';
import { generatorFacts } from '../../contract/generators';
import { createModelFor } from '../../generation/models/models';
import { fetchOriginal } from '../../images/fetch/fetch-original';
import { createImageLibrary } from '../../images/s3/open-library';
import * as codec from '../../images/sharp/sharp-codec';
import { startFunction } from '../start-function';
import { generatorHandler } from './handler';
import { settings } from './settings';

const { config, clock, telemetry } = startFunction('generator', settings, process.env);
const secrets = noSecrets(clock);
const readKey = (name: string) => readKeyOf((id) => readSecret(secrets, id), config.PROVIDER_SECRET_ID, name);
// A generator that runs on this machine may name its images there, and no other.
const { server } = generatorFacts(config.GENERATOR);
const ownHosts = server ? [new URL(server.baseUrl).host] : [];
/** One image an invocation: no more limits than one job's are met. */
const refusalsMax = 100;

/** Entry point of the deployed function. */
export const handler = generatorHandler({
  database: connectDynamoDb(),
  tables: {
    quotaCounters: config.QUOTA_COUNTERS_TABLE,
    generationIndex: config.GENERATION_INDEX_TABLE,
  },
  bucket: createImageLibrary(config.IMAGE_STORE),
  modelFor: createModelFor(config.GENERATOR, {
    codec,
    clock,
    readKey,
    fetchOriginal: (...image) => fetchOriginal({ allowedLoopback: ownHosts }, ...image),
  }),
  codec,
  clock,
  ids,
  random: Math.random,
  refusals: createExpiringCache(refusalsMax),
  telemetry,
});
