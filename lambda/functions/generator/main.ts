/** Starts the generator function. It makes the image that a request has acquired. */

import { connectDynamoDb } from '../../aws/dynamodb';
import { createSecretReader, readProviderKey } from '../../aws/secrets/secrets';
import { createDeadline } from '../../base/deadline';
import { createExpiringCache } from '../../base/expiring-cache';
import { systemIds } from '../../base/ids';
import { type GenerationJob, generateImage } from '../../generation/generate-image';
import { createModelChooser } from '../../generation/models/open-model';
import { fetchOriginal } from '../../images/fetch/fetch-original';
import * as codec from '../../images/sharp/sharp-codec';
import { openImageStore } from '../../images/stores/open-image-store';
import { createInvokedHandler, startFunction } from '../start-function';
import { generatorSettings } from './settings';

const { config, clock, telemetry } = startFunction('generator', generatorSettings);
const readSecret = createSecretReader(clock);
const readKey = (name: string) => readProviderKey(readSecret, config.PROVIDER_SECRET_ID, name);
// A local generator may reply with URLs of this machine.
const { GENERATOR: generator } = config;
const ownHosts = generator.kind === 'openai-compatible' ? [new URL(generator.baseUrl).host] : [];
const services = {
  database: connectDynamoDb(),
  tables: {
    quotaCounters: config.QUOTA_COUNTERS_TABLE,
    generationIndex: config.GENERATION_INDEX_TABLE,
  },
  imageStore: openImageStore(config.IMAGE_STORE),
  chooseModel: createModelChooser(generator, {
    codec,
    clock,
    readKey,
    fetchOriginal: (...image) => fetchOriginal({ allowedLoopback: ownHosts }, ...image),
  }),
  codec,
  clock,
  random: Math.random,
  refusals: createExpiringCache<true>(100),
  telemetry,
};

/** Entry point of the deployed function. It logs a generation that it leaves unfinished as an error. */
export const handler = createInvokedHandler(
  services,
  'A generation was left unfinished',
  (job: GenerationJob, endsMs) =>
    generateImage({ ...services, deadline: createDeadline(endsMs) }, job, systemIds.makeHex(8)),
);
