/** Wires the generator function to its environment. */

import { createGenerationIndex } from '../../adapters/dynamodb/generations/generation-index';
import { createCharges } from '../../adapters/dynamodb/quota/charges';
import { createModelTurns } from '../../adapters/dynamodb/quota/model-turns';
import { createQuotaCounters } from '../../adapters/dynamodb/quota/quota-counters';
import { createSdkDatabase } from '../../adapters/dynamodb/sdk-database';
import { createOriginalFetcher } from '../../adapters/fetching/fetch-original';
import { createGenerator } from '../../adapters/generators/generators';
import { createImageLibrary } from '../../adapters/image-library';
import { createSharpCodec } from '../../adapters/rendering/sharp-codec';
import { createReadKey } from '../../adapters/secrets/provider-keys';
import { createReadSecret } from '../../adapters/secrets/read-secret';
import { systemIds as ids } from '../../adapters/system';
import { generatorFacts, readGeneratorSettings } from '../../contract/generators';
import { ownershipOf } from '../../domain/generation/generation-identity';
import type { Generator } from '../../ports/generator';
import { createDrawMaster } from '../../usecases/generation/draw-master';
import { createRunGeneration } from '../../usecases/generation/run-generation';
import { startFunction } from '../start-function';
import { createHandler } from './handler';
import { settings } from './settings';

const { config, clock, telemetry } = startFunction('generator', settings, process.env);
const db = createSdkDatabase();
const library = createImageLibrary(config.IMAGE_STORE);
const counters = createQuotaCounters(db, config.QUOTA_COUNTERS_TABLE, telemetry);
const charges = createCharges({ db, tableName: config.QUOTA_COUNTERS_TABLE, clock, telemetry });
const index = createGenerationIndex(db, config.GENERATION_INDEX_TABLE);
const readKey = createReadKey(createReadSecret(clock), config.PROVIDER_SECRET_ID);
// A generator that runs on this machine may name its images there, and no other.
const { server } = generatorFacts(config.GENERATOR);
const ownHosts = server ? [new URL(server.baseUrl).host] : [];
const fetchOriginal = createOriginalFetcher({ allowedLoopback: ownHosts });
const deps = { codec: createSharpCodec(), clock, readKey, fetchOriginal };

/** Test keys draw in the sandbox unless the operator lets them use the real generator. */
const sandbox = readGeneratorSettings({ kind: 'sandbox' });
const built = new Map<string, Promise<Generator>>();
const generatorFor = async (isTest: boolean) => {
  const chosen = isTest && config.TEST_KEYS_GENERATE !== 'on' ? sandbox : config.GENERATOR;
  const generator = built.get(chosen.kind) ?? createGenerator(chosen, deps);
  built.set(chosen.kind, generator);
  return { name: chosen.kind, generator: await generator };
};

export const handler = createHandler({
  run: createRunGeneration({
    index,
    charges,
    counters,
    library,
    draw: createDrawMaster({
      generatorFor: ({ lease }) => generatorFor(ownershipOf(lease.key).mode === 'test'),
      turns: createModelTurns(db, config.QUOTA_COUNTERS_TABLE),
      counters,
      library,
      codec: deps.codec,
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
