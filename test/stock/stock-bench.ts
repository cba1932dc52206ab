/** The search for stock images on embedded tables, with scripted providers and a scripted renderer. */

import { createExpiringCache } from '../../lambda/base/expiring-cache';
import type { SlotBindings, StockProviderName } from '../../lambda/contract/providers';
import type { RenditionJob, RenditionOutcome } from '../../lambda/images/renderer-job';
import type { StockRequest } from '../../lambda/requests/image-request';
import { findImage } from '../../lambda/stock/search/find-image';
import type { SearchContext } from '../../lambda/stock/search/search-types';
import { createStockMemory, type StockServices } from '../../lambda/stock/stock-services';
import { createVirtualClock } from '../fakes/clock';
import type { Engine } from '../fakes/database';
import { servicesOn } from '../fakes/services';
import {
  createFakeStockProvider,
  type FakeStockOptions,
  type FakeStockProvider,
} from '../fakes/stock-provider';
import { createRecordedTelemetry } from '../fakes/telemetry';
import { aSearchContext } from '../fakes/values';

/** The providers that stand at the slots. */
export const bindings: SlotBindings = { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'pixabay' };

export function createBench(engine: Engine, options: FakeStockOptions = {}) {
  const clock = createVirtualClock();
  const telemetry = createRecordedTelemetry();
  const jobs: RenditionJob[] = [];
  const handedOver: string[] = [];
  const provider = (name: StockProviderName, of: FakeStockOptions = {}): FakeStockProvider =>
    createFakeStockProvider(name, { ...options, ...of });
  const providers = new Map<string, FakeStockProvider>(
    [...Object.values(bindings), 'sandbox' as const].map((name) => [name, provider(name)]),
  );
  let render = async (_: RenditionJob): Promise<RenditionOutcome> => ({ outcome: 'stored' });
  /** Makes another instance: the same tables, and nothing that this one remembers. */
  const instance = (): StockServices => ({
    ...servicesOn(engine, { clock }),
    database: engine.database,
    clock,
    random: () => 0.5,
    tables: engine.tableNames,
    telemetry,
    deadline: { endsMs: clock.nowMs() + 20_000, silentTables: new Set() },
    refusals: createExpiringCache<true>(100),
    stockMemory: createStockMemory(),
    stockSettings: {
      bindings,
      imageDelivery: 'provider',
      imageBaseUrl: 'https://cdn.example',
      endpoints: {},
    },
    ids: { ulid: () => '', bytes: () => new Uint8Array(), hex: () => String(Math.random()) },
    imageDomain: { baseUrl: 'https://cdn.example' },
    renderer: {
      render: async (job) => {
        jobs.push(job);
        return render(job);
      },
    },
    findProvider: (name) => providers.get(name) as FakeStockProvider,
    handOverUse: async ({ url }) => void handedOver.push(url),
  });
  const withFallback = (): StockServices => {
    const services = instance();
    return { ...services, stockSettings: { ...services.stockSettings, fallbackProvider: 'sandbox' } };
  };
  const find = (request: StockRequest, context = aSearchContext, by = instance()) =>
    findImage(by, request, context);
  /** The images that a request is answered with, or why there is none. */
  const shown = async (request: StockRequest, context?: SearchContext) => {
    const found = await find(request, context);
    if (found.outcome !== 'served') return found.refusal.code;
    return found.image.attribution.creditLine;
  };
  const a = providers.get('openverse') as FakeStockProvider;
  const b = providers.get('wikimedia') as FakeStockProvider;
  const c = providers.get('pixabay') as FakeStockProvider;
  return {
    clock,
    telemetry,
    jobs,
    handedOver,
    a,
    b,
    c,
    instance,
    withFallback,
    find,
    shown,
    renders: (how: typeof render) => {
      render = how;
    },
  };
}
