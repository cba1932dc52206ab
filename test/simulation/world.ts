/** One simulated deployment: the real use cases over the in-memory engine, each function instance with its own clock. */

import type { Telemetry } from '../../lambda/base/telemetry';
import { ulidOf } from '../../lambda/base/ulid';
import type { Plans } from '../../lambda/contract/plans';
import { createDrawMaster, type DrawMaster } from '../../lambda/generation/draw-master';
import { createModelTurns } from '../../lambda/generation/dynamodb/model-turns';
import type { GenerationJob } from '../../lambda/generation/generation-job';
import { createRemoveOrphans, type RemoveOrphans } from '../../lambda/generation/remove-orphans';
import { createRunGeneration, type RunGeneration } from '../../lambda/generation/run-generation';
import { createServePermalink, createServePicked } from '../../lambda/generation/serve-permalink';
import { createSweep, type Sweep } from '../../lambda/generation/settle';
import { createPickedImages } from '../../lambda/images/picked-images';
import { serveBatch } from '../../lambda/pages/serve-batch';
import { createPaidImages } from '../../lambda/quota/dynamodb/paid-images';
import { createUsageMarks } from '../../lambda/quota/dynamodb/usage-marks';
import { createAnnounceUsage } from '../../lambda/quota/usage/announce-usage';
import { announcingCharges, atThresholds } from '../../lambda/quota/usage/at-thresholds';
import { serveImage } from '../../lambda/serving/serve-image';
import { createServeOnce } from '../../lambda/serving/serve-once';
import { createCachedImages } from '../../lambda/stock/cached-images';
import { createItemStore } from '../../lambda/stock/dynamodb/item-store';
import { createFindImage } from '../../lambda/stock/find-image';
import { createManagePhotos } from '../../lambda/stock/library/manage-photos';
import { createOperatorImages } from '../../lambda/stock/operator-images';
import { createPhotoProvider, createReadPhotoIndex } from '../../lambda/stock/providers/library';
import { createServeStock } from '../../lambda/stock/serve-stock';
import type { StockProvider } from '../../lambda/stock/stock-provider';
import { openAi, openAiStores } from '../fakes/ai-service';
import { bound } from '../fakes/bound';
import { imageServices } from '../fakes/image-services';
import type { Actor, Random, Scheduler } from './kernel';
import type { Network } from './network';
import type { Receipts } from './receipts';
import type { Setting } from './setting';
import { delivery, generatorOf, libraryOf, providerOf, rendererOf, type Shelf } from './surroundings';

export interface World {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly setting: Setting;
  readonly network: Network;
  readonly shelf: Shelf;
  readonly receipts: Receipts;
  readonly telemetry: Telemetry;
  readonly refusedWords: ReadonlySet<string>;
  /** The generated images, in order. */
  readonly drawings: { readonly key: string; readonly execution: string; readonly isImage: boolean }[];
  /** The usage thresholds that were announced, as JSON. */
  readonly announced: string[];
  /** A new function instance. */
  startActor(role: string): Actor;
  /** Delivers a job to a generator instance, some time soon. */
  deliver(job: GenerationJob): void;
}

/** The adapters of one instance, and what else every use case that ends executions needs. */
function openStores(world: World, actor: Actor) {
  const { network, receipts, telemetry, random, shelf } = world;
  const db = network.database(actor);
  const stores = openAiStores({
    db,
    tableNames: { generationIndex: 'generationIndex', quotaCounters: 'quotaCounters' },
    library: libraryOf(network, shelf, actor),
    clock: actor.clock,
    ids: {
      ulid: (nowMs) => ulidOf(nowMs, random.bytes(10)),
      bytes: (bytes) => random.bytes(bytes),
      hex: (bytes) => Buffer.from(random.bytes(bytes)).toString('hex'),
    },
    telemetry,
  });
  return {
    ...stores,
    db,
    index: receipts.watchIndex(stores.index),
    counters: receipts.watchCounters(stores.counters),
    turns: createModelTurns(db, 'quotaCounters'),
    paidImages: createPaidImages(db, 'quotaCounters'),
  };
}

export function openSweeper(world: World, actor: Actor): Sweep {
  return createSweep(openStores(world, actor));
}

/** A search for images that nothing names, on a new instance. */
export function openOrphanSearch(world: World, actor: Actor): RemoveOrphans {
  return createRemoveOrphans(openStores(world, actor));
}

export function openGenerator(world: World, actor: Actor): RunGeneration {
  const deps = openStores(world, actor);
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

/** What answers callers on one instance. */
export type Front = ReturnType<typeof openFront>;

const bindings = { stock_a: 'alpha', stock_b: 'beta', stock_c: 'beta' } as const;

export function openFront(world: World, plans: Plans) {
  const { network, telemetry, shelf, setting, announced } = world;
  const actor = world.startActor('front');
  const stores = openStores(world, actor);
  const { db, clock, ids, paidImages } = stores;
  const announcer = {
    announce: (event: object) =>
      network.call(actor, 'announce', true, () => void announced.push(JSON.stringify(event))),
  };
  const announceUsage = atThresholds(
    async () => createAnnounceUsage({ ...stores, announcer, store: createUsageMarks(db, 'quotaCounters') }),
    telemetry,
  );
  const charges = announcingCharges(stores.charges, announceUsage);
  const { serving, serveAi } = openAi(
    { ...stores, charges },
    {
      queue: { handOver: (job) => network.call(actor, 'handOver', true, () => world.deliver(job)) },
      renderer: rendererOf(network, shelf, actor),
      delivery,
      plans,
      announceUsage,
      generationsPerDay: setting.generationsPerDay,
    },
  );
  const { ledger } = serving;
  const stockMemory = createItemStore(db, 'images', clock);
  const cache = createItemStore(db, 'cache', clock);
  const pickedImages = createPickedImages({ stockMemory, clock, telemetry });
  const operatorImages = createOperatorImages(stockMemory, clock, telemetry);
  const cachedImages = createCachedImages({ cache, clock, telemetry, bindings });
  const noteUse = async () => undefined;
  const [alpha, beta] = (['alpha', 'beta'] as const).map((name) => providerOf(world, actor, name)) as [
    StockProvider,
    StockProvider,
  ];
  const asked = { cache, clock, ids, telemetry };
  const readIndex = createReadPhotoIndex(stores.library);
  const libraryOf = (paths: readonly string[]) => createPhotoProvider(readIndex, paths);
  const find = createFindImage({
    ...serving,
    ...asked,
    slots: { stock_a: alpha, stock_b: beta, stock_c: libraryOf([]) },
    libraryOf,
    providerOf: (name) => [alpha, beta].find((provider) => provider.name === name),
    noteUse,
    pickedImages,
    cachedImages,
    stockMemory,
  });
  const serveStock = createServeStock({ ledger, cachedImages, operatorImages, noteUse, find });
  const servePicked = createServePicked({ ...serving, pickedImages });
  const { services } = imageServices(
    {
      ledger,
      serveStock,
      serveAi,
      servePicked,
      cachedImages,
      find,
      operatorImages,
      payOnce: createServeOnce({ paidImages, ledger, clock, telemetry }),
    },
    { clock, telemetry, config: { PLANS: plans } },
  );
  const memory = { stockMemory, clock, ids, telemetry };
  return {
    actor,
    memory,
    index: stores.index,
    ...bound(services, { serve: serveImage, serveBatch }),
    servePermalink: createServePermalink(serving),
    photos: createManagePhotos({ ...memory, library: stores.library }),
  };
}
