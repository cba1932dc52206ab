/** One simulated deployment: the real use cases over the in-memory engine, each function instance with its own clock. */

import type { Database } from '../../lambda/aws/dynamodb/call';
import type { Ids } from '../../lambda/base/clock';
import type { Telemetry } from '../../lambda/base/telemetry';
import { ulidOf } from '../../lambda/base/ulid';
import { createDrawMaster, type DrawMaster } from '../../lambda/generation/draw-master';
import { createGenerationIndex } from '../../lambda/generation/dynamodb/generation-index';
import { createModelTurns } from '../../lambda/generation/dynamodb/model-turns';
import type { GenerationIndex } from '../../lambda/generation/generation-index';
import type { GenerationJob } from '../../lambda/generation/generation-job';
import type { ModelTurns } from '../../lambda/generation/model-turns';
import { createRemoveOrphans, type RemoveOrphans } from '../../lambda/generation/remove-orphans';
import { createRunGeneration, type RunGeneration } from '../../lambda/generation/run-generation';
import { createSweep, type Sweep } from '../../lambda/generation/sweep';
import type { Charges } from '../../lambda/quota/charges';
import { createCharges } from '../../lambda/quota/dynamodb/charges';
import { createPaidImages } from '../../lambda/quota/dynamodb/paid-images';
import { createQuotaCounters } from '../../lambda/quota/dynamodb/quota-counters';
import type { PaidImages } from '../../lambda/quota/paid-images';
import type { QuotaCounters } from '../../lambda/quota/quota-counters';
import type { Receipts } from './checks/receipts';
import type { Actor } from './kernel/actor';
import type { Network } from './kernel/network';
import type { Random } from './kernel/random';
import type { Scheduler } from './kernel/scheduler';
import type { Setting } from './setting';
import { generatorOf, libraryOf, type Shelf } from './surroundings';

/** A change that a test makes to the real adapters on their way in, to see that it is noticed. */
export interface Mutation {
  readonly database?: (db: Database) => Database;
  readonly index?: (index: GenerationIndex) => GenerationIndex;
  readonly sweptIndex?: (index: GenerationIndex) => GenerationIndex;
  readonly paidImages?: (paidImages: PaidImages, nowMs: () => number) => PaidImages;
  readonly charges?: (charges: Charges, nowMs: () => number) => Charges;
}

export interface World {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly setting: Setting;
  readonly network: Network;
  readonly shelf: Shelf;
  readonly receipts: Receipts;
  readonly telemetry: Telemetry;
  readonly refusedWords: ReadonlySet<string>;
  readonly mutation: Mutation;
  /** The generated images, in order. */
  readonly drawings: { readonly key: string; readonly execution: string; readonly isImage: boolean }[];
  /** A new function instance. */
  startActor(role: string): Actor;
  /** Delivers a job to a generator instance, some time soon. */
  deliver(job: GenerationJob): void;
}

/** The adapters of one instance. */
export interface Stores {
  readonly index: GenerationIndex;
  readonly charges: Charges;
  readonly counters: QuotaCounters;
  readonly turns: ModelTurns;
  readonly paidImages: PaidImages;
}

function openStores(world: World, actor: Actor): Stores {
  const { network, mutation, telemetry, receipts } = world;
  const plain = network.database(actor);
  const db = mutation.database?.(plain) ?? plain;
  const index = createGenerationIndex(db, 'generationIndex');
  const charges = createCharges({ db, tableName: 'quotaCounters', clock: actor.clock, telemetry });
  const counters = createQuotaCounters(
    db as Parameters<typeof createQuotaCounters>[0],
    'quotaCounters',
    telemetry,
  );
  const paidImages = createPaidImages(db, 'quotaCounters');
  return {
    paidImages: mutation.paidImages?.(paidImages, actor.clock.nowMs) ?? paidImages,
    index: receipts.watchIndex(mutation.index?.(index) ?? index),
    charges: mutation.charges?.(charges, actor.clock.nowMs) ?? charges,
    counters: receipts.watchCounters(counters),
    turns: createModelTurns(db, 'quotaCounters'),
  };
}

function idsOf(random: Random): Ids {
  return {
    ulid: (nowMs) => ulidOf(nowMs, random.bytes(10)),
    hex: (bytes) => Buffer.from(random.bytes(bytes)).toString('hex'),
  };
}

/** What every use case that ends executions needs, and a sweep over it. */
export function settlingDeps(world: World, actor: Actor) {
  const stores = openStores(world, actor);
  const library = libraryOf(world.network, world.shelf, actor);
  const deps = {
    ...stores,
    library,
    clock: actor.clock,
    ids: idsOf(world.random),
    telemetry: world.telemetry,
  };
  const sweptIndex = world.mutation.sweptIndex?.(stores.index) ?? stores.index;
  return { deps, sweep: createSweep({ ...deps, index: sweptIndex }) };
}

export function openSweeper(world: World, actor: Actor): Sweep {
  return settlingDeps(world, actor).sweep;
}

/** A search for images that nothing names, on a new instance. */
export function openOrphanSearch(world: World, actor: Actor): RemoveOrphans {
  return createRemoveOrphans(settlingDeps(world, actor).deps);
}

export function openGenerator(world: World, actor: Actor): RunGeneration {
  const { deps } = settlingDeps(world, actor);
  const { random, setting, refusedWords, drawings } = world;
  const generator = generatorOf(random, actor, setting, refusedWords);
  const draw: DrawMaster = createDrawMaster({
    ...deps,
    generatorFor: async () => ({ name: 'fake', generator }),
    codec: {
      measure: async () => ({
        outcome: 'measured',
        mediaType: 'image/png',
        widthPx: 1536,
        heightPx: 864,
      }),
    },
  });
  return createRunGeneration({
    ...deps,
    draw: async (job, deadlineMs) => {
      const drawn = await draw(job, deadlineMs);
      const { key, execution } = job.lease;
      drawings.push({ key, execution, isImage: drawn.outcome === 'image' });
      return drawn;
    },
  });
}
