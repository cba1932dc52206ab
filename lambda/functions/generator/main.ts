/** Wires the generator function to its environment. */

import { connectDynamoDb } from '../../aws/dynamodb';
import { createReadKey } from '../../aws/secrets/provider-keys';
import { createReadSecret } from '../../aws/secrets/read-secret';
import { systemIds as ids } from '../../base/system';
import { generatorFacts } from '../../contract/generators';
import { createDrawMaster } from '../../generation/draw-master';
import { createGenerationIndex } from '../../generation/dynamodb/generation-index';
import { createModelTurns } from '../../generation/dynamodb/model-turns';
import { createGeneratorFor } from '../../generation/models/generators';
import type { FetchImage } from '../../generation/models/openai-compatible';
import { createRunGeneration } from '../../generation/run-generation';
import { fetchOriginal } from '../../images/fetch/fetch-original';
import { createImageLibrary } from '../../images/s3/open-library';
import * as codec from '../../images/sharp/sharp-codec';
import { createCharges } from '../../quota/dynamodb/charges';
import { createQuotaCounters } from '../../quota/dynamodb/quota-counters';
import { startFunction } from '../start-function';
import { createHandler } from './handler';
import { settings } from './settings';

const { config, clock, telemetry } = startFunction('generator', settings, process.env);
const db = connectDynamoDb().client;
const library = createImageLibrary(config.IMAGE_STORE);
const counters = createQuotaCounters(db, config.QUOTA_COUNTERS_TABLE, telemetry);
const charges = createCharges({ db, tableName: config.QUOTA_COUNTERS_TABLE, clock, telemetry });
const index = createGenerationIndex(db, config.GENERATION_INDEX_TABLE);
const readKey = createReadKey(createReadSecret(clock), config.PROVIDER_SECRET_ID);
// A generator that runs on this machine may name its images there, and no other.
const { server } = generatorFacts(config.GENERATOR);
const ownHosts = server ? [new URL(server.baseUrl).host] : [];
const fetchImage: FetchImage = (...image) => fetchOriginal({ allowedLoopback: ownHosts }, ...image);
const deps = { codec, clock, readKey, fetchOriginal: fetchImage };

/** Entry point of the deployed function. */
export const handler = createHandler({
  run: createRunGeneration({
    index,
    charges,
    counters,
    library,
    draw: createDrawMaster({
      generatorFor: createGeneratorFor(config.GENERATOR, config.TEST_KEYS_GENERATE, deps),
      turns: createModelTurns(db, config.QUOTA_COUNTERS_TABLE),
      counters,
      library,
      codec,
      clock,
      ids,
      telemetry,
    }),
    clock,
    ids,
    telemetry,
  }),
  clock,
  telemetry,
});
