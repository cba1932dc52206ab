/** The dependencies of a stock lookup, as inspectable fakes. */

import type { BackgroundJob } from '../../../lambda/contract/messages/background-job';
import type { RenditionJob } from '../../../lambda/contract/messages/rendition-job';
import type { RenditionOutcome } from '../../../lambda/contract/messages/rendition-outcome';
import type { StockRequest } from '../../../lambda/domain/request/image-request';
import { createStockLookup } from '../../../lambda/usecases/stock/look-up';
import { createStockResolver, type StockResolver } from '../../../lambda/usecases/stock/resolve-stock';
import { createFakeIds } from '../../fakes/ids';
import { createFakeLookupCache, type FakeLookupCache } from '../../fakes/lookup-cache';
import { createRecordedTelemetry } from '../../fakes/recorded-telemetry';
import { createFakeStockProvider, type FakeStockOptions } from '../../fakes/stock-provider';
import { createVirtualClock, type VirtualClock } from '../../fakes/virtual-clock';

export interface BenchOptions {
  readonly a?: FakeStockOptions;
  readonly b?: FakeStockOptions;
  readonly c?: FakeStockOptions;
}

/** The providers of the bench, in the order of their slots. */
export const benchBindings = 'alpha+beta+gamma';

export function createBench(options: BenchOptions = {}) {
  const clock: VirtualClock = createVirtualClock();
  const lookups: FakeLookupCache = createFakeLookupCache(clock);
  const a = createFakeStockProvider('alpha', options.a);
  const b = createFakeStockProvider('beta', options.b);
  const c = createFakeStockProvider('gamma', options.c);
  const telemetry = createRecordedTelemetry();
  const ids = createFakeIds();
  const jobs: RenditionJob[] = [];
  const handedOver: BackgroundJob[] = [];
  let rendering = async (_: RenditionJob): Promise<RenditionOutcome> => ({ outcome: 'stored' });

  /** One function instance: it shares the cache with the others, and nothing else. */
  const instance = (): StockResolver =>
    createStockResolver({
      lookups,
      clock,
      telemetry,
      bindings: benchBindings,
      loadLookup: async () =>
        createStockLookup({
          slots: { stock_a: a, stock_b: b, stock_c: c },
          lookups,
          renderer: {
            render: (job) => {
              jobs.push(job);
              return rendering(job);
            },
          },
          delivery: {
            publicUrl: (path) => `https://cdn.example/${path}`,
            signedUrl: () => Promise.reject(new Error('A stock image is public.')),
          },
          background: {
            handOver: async (job) => {
              handedOver.push(job);
            },
          },
          clock,
          ids,
          telemetry,
        }),
    });

  const resolver = instance();
  return {
    clock,
    lookups,
    a,
    b,
    c,
    telemetry,
    jobs,
    handedOver,
    instance,
    resolver,
    scriptRenderer(next: typeof rendering) {
      rendering = next;
    },
    /** Resolves a request within ten seconds of the bench's clock. */
    resolve: (request: StockRequest, by: StockResolver = resolver) =>
      clock.settle(by.resolve(request, 'webp', clock.nowMs() + 10_000)),
  };
}

export function request(query: string, change: Partial<StockRequest> = {}): StockRequest {
  return { query, provider: 'stock_a', seed: '', widthPx: 1_920, heightPx: 1_080, asJson: false, ...change };
}
