/** One simulated deployment: the real use cases over the in-memory engine, each function instance with its own clock. */

import type { Telemetry } from '../../lambda/base/telemetry';
import { ulidOf } from '../../lambda/base/ulid';
import type { Plans } from '../../lambda/contract/plans';
import { createDrawMaster, type DrawMaster } from '../../lambda/generation/draw-master';
import { createModelTurns } from '../../lambda/generation/dynamodb/model-turns';
import type { GenerationJob } from '../../lambda/generation/generation-job';
import { createRemoveOrphans, type RemoveOrphans } from '../../lambda/generation/remove-orphans';
import { createRunGeneration, type RunGeneration } from '../../lambda/generation/run-generation';
import type { ServeAi } from '../../lambda/generation/serve-ai';
import { createSweep, type Sweep } from '../../lambda/generation/settle';
import { createPaidImages } from '../../lambda/quota/dynamodb/paid-images';
import { createLedger } from '../../lambda/quota/ledger';
import { createServeImage, type ServeImage } from '../../lambda/serving/serve-image';
import { createServeOnce, type ServeOnce } from '../../lambda/serving/serve-once';
import { createServeStock, type ServeStock, type ServeStockDeps } from '../../lambda/stock/serve-stock';
import { openAiStores, openServeAi } from '../fakes/ai-service';
import { deliveryUrl } from '../fakes/branded';
import type { Actor, Random, Scheduler } from './kernel';
import type { Network } from './network';
import type { Receipts } from './receipts';
import type { Setting } from './setting';
import { delivery, generatorOf, libraryOf, rendererOf, type Shelf } from './surroundings';

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
      hex: (bytes) => Buffer.from(random.bytes(bytes)).toString('hex'),
    },
    telemetry,
  });
  return {
    ...stores,
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

export interface Front {
  readonly actor: Actor;
  readonly serveAi: ServeAi;
  readonly serveStock: ServeStock;
  readonly serve: ServeImage;
  readonly serveOnce: ServeOnce;
}

export function openFront(world: World, plans: Plans): Front {
  const { network, telemetry, shelf } = world;
  const actor = world.startActor('front');
  const deps = openStores(world, actor);
  const { counters, clock } = deps;
  const ledger = createLedger({ counters, clock, telemetry });
  const serveAi = openServeAi(deps, {
    queue: { handOver: (job) => network.call(actor, 'handOver', true, () => world.deliver(job)) },
    renderer: rendererOf(network, shelf, actor),
    delivery,
    plans,
  });
  const serveStock = createServeStock({
    ledger,
    noteUse: async () => undefined,
    ...stockOf(world, actor),
  });
  const serve = createServeImage(serveStock, serveAi, () =>
    Promise.reject(new Error('No pick is requested')),
  );
  const { paidImages } = deps;
  return {
    actor,
    serveAi,
    serveStock,
    serve,
    serveOnce: createServeOnce({ paidImages, ledger, charged: 'day', clock, telemetry }),
  };
}

/** A stock side that finds, finds nothing, or fails, by chance. */
function stockOf(
  { random, network, setting }: World,
  actor: Actor,
): Pick<ServeStockDeps, 'cachedImages' | 'find'> {
  return {
    cachedImages: { find: async () => undefined },
    find: () =>
      network.call(actor, 'stock.find', false, () => {
        const kind = setting.isStockSure ? 3 : random.between(0, 3);
        if (kind === 0) throw new Error('The lookup failed');
        if (kind === 1) return { outcome: 'none' };
        return {
          outcome: 'found',
          cache: 'MISS',
          image: {
            location: deliveryUrl('https://stock.example/1.jpg'),
            widthPx: 100,
            heightPx: 100,
            source: 'stock_a',
            attribution: { providerName: 'Stock', license: { id: 'x', name: 'X' }, creditLine: 'X' },
          },
        };
      }),
  };
}
