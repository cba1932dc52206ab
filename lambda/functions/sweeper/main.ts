/** Wires the sweeper, which runs every minute, to its environment. */

import { connectDynamoDb } from '../../aws/dynamodb';
import { createGenerationIndex } from '../../generation/dynamodb/generation-index';
import { createRemoveOrphans } from '../../generation/remove-orphans';
import { createSweep } from '../../generation/settle';
import { createImageLibrary } from '../../images/s3/open-library';
import { createCharges } from '../../quota/dynamodb/charges';
import { startFunction } from '../start-function';
import { createHandler } from './handler';
import { settings } from './settings';

const { config, clock, telemetry } = startFunction('sweeper', settings, process.env);
const db = connectDynamoDb().client;
const index = createGenerationIndex(db, config.GENERATION_INDEX_TABLE);
const library = createImageLibrary(config.IMAGE_STORE);

/** Entry point of the deployed function. */
export const handler = createHandler({
  sweep: createSweep({
    index,
    charges: createCharges({ db, tableName: config.QUOTA_COUNTERS_TABLE, clock, telemetry }),
    library,
    clock,
    telemetry,
  }),
  removeOrphans: createRemoveOrphans({ index, library, clock }),
  clock,
  telemetry,
  flush: telemetry.flush,
});
