/** The instances that answer requests: the real use cases for AI and stock images, wired as the handler wires them. */

import type { Plans } from '../../lambda/contract/plans';
import { createRenditionService } from '../../lambda/generation/deliver';
import { createMakeImage } from '../../lambda/generation/make-image';
import { createServeAi, type ServeAi } from '../../lambda/generation/serve-ai';
import { createSpendGuard } from '../../lambda/generation/spend-guard';
import { createMeter } from '../../lambda/quota/meter';
import { createServeImage } from '../../lambda/serving/serve-image';
import { createServeOnce, type ServeOnce } from '../../lambda/serving/serve-once';
import { createServeStock, type ServeStock, type ServeStockDeps } from '../../lambda/stock/serve-stock';
import { admitAll } from '../fakes/admit-all';
import { deliveryUrl } from '../fakes/branded';
import type { Actor } from './kernel/actor';
import { delivery, lookupsOf, rendererOf } from './surroundings';
import { settlingDeps, type World } from './world';

export interface Front {
  readonly actor: Actor;
  readonly serveAi: ServeAi;
  readonly serveStock: ServeStock;
  readonly serveOnce: ServeOnce;
}

export function openFront(world: World, plans: Plans): Front {
  const { network, telemetry, shelf } = world;
  const actor = world.startActor('front');
  const { deps, sweep } = settlingDeps(world, actor);
  const { index, charges, counters, clock } = deps;
  const meter = createMeter({ counters, clock, telemetry });
  const make = createMakeImage({
    admit: admitAll,
    ...deps,
    sweep,
    spendGuard: createSpendGuard({ counters, announceUsage: async () => undefined, clock, telemetry }),
    queue: {
      handOver: (job) => network.call(actor, 'handOver', true, () => world.deliver(job)),
    },
  });
  const renditions = createRenditionService({
    renderer: rendererOf(network, shelf, actor),
    delivery,
    lookups: lookupsOf(),
    clock,
    telemetry,
  });
  const serveAi = createServeAi({
    index,
    charges,
    make,
    renditions,
    meter,
    plans,
    testKeysGenerate: false,
    clock,
    telemetry,
  });
  const serveStock = createServeStock({ meter, ...stockOf(world, actor) });
  const serve = createServeImage(serveStock, serveAi);
  const { paidImages } = deps;
  return {
    actor,
    serveAi,
    serveStock,
    serveOnce: createServeOnce({ serve, paidImages, meter, charged: 'day', clock, telemetry }),
  };
}

/** A stock side that finds, finds nothing, or fails, by chance. */
function stockOf({ random, network, setting }: World, actor: Actor): Pick<ServeStockDeps, 'known' | 'find'> {
  return {
    known: { find: async () => undefined },
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
