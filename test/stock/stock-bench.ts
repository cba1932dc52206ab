/** The dependencies of a stock lookup, as inspectable fakes. */

import type { ServedImage } from '../../lambda/images/image';
import { createPickedImages } from '../../lambda/images/picked-images';
import type { Background } from '../../lambda/images/renderer';
import type { RenditionJob, RenditionOutcome, UseReport } from '../../lambda/images/renderer-job';
import type { StockRequest } from '../../lambda/requests/image-request';
import { type CachedImages, createCachedImages } from '../../lambda/stock/cached-images';
import { createFindImage, type FindImage, type FindImageDeps } from '../../lambda/stock/find-image';
import type { FoundImage } from '../../lambda/stock/keep-image';
import type { SearchCaller } from '../../lambda/stock/search-caller';
import { createNoteUse } from '../../lambda/stock/uses';
import { deliveryUrl } from '../fakes/branded';
import { createFakeIds } from '../fakes/ids';
import { createFakeItemStore, type FakeItemStore } from '../fakes/item-store';
import { createRecordedTelemetry } from '../fakes/recorded-telemetry';
import { aSearchCaller } from '../fakes/search-caller';
import { createFakeStockProvider, type FakeStockOptions } from '../fakes/stock-provider';
import { createVirtualClock, type VirtualClock } from '../fakes/virtual-clock';

export interface BenchOptions {
  readonly a?: FakeStockOptions;
  readonly b?: FakeStockOptions;
  readonly c?: FakeStockOptions;
}

/** The providers of the bench by slot. */
const benchBindings = { stock_a: 'alpha', stock_b: 'beta', stock_c: 'gamma' };

/** The stock side of one function instance. */
interface Instance {
  readonly cachedImages: CachedImages;
  readonly find: FindImage;
}

/** The image of an answer, or of nothing where there is none. */
export const imageOf = (answer: FoundImage): Partial<ServedImage> =>
  answer.outcome === 'found' ? answer.image : {};

/** The pick of the image of an answer. */
export const pickOf = (answer: FoundImage): string => imageOf(answer).pick ?? '';

export function createBench(options: BenchOptions = {}) {
  const clock: VirtualClock = createVirtualClock();
  const cache: FakeItemStore = createFakeItemStore(clock);
  const stockMemory: FakeItemStore = createFakeItemStore(clock);
  const a = createFakeStockProvider('alpha', options.a);
  const b = createFakeStockProvider('beta', options.b);
  const c = createFakeStockProvider('gamma', options.c);
  const telemetry = createRecordedTelemetry();
  const ids = createFakeIds();
  const jobs: RenditionJob[] = [];
  const handedOver: UseReport[] = [];
  let rendering = async (_: RenditionJob): Promise<RenditionOutcome> => ({ outcome: 'stored' });

  /** One function instance: it shares the stores with the others, and nothing else. */
  const instance = ({
    slots,
    ...more
  }: Partial<Pick<FindImageDeps, 'libraryOf' | 'imageDelivery' | 'providerOf'>> & {
    readonly slots?: Partial<FindImageDeps['slots']>;
  } = {}): Instance => {
    const cachedImages = createCachedImages({ cache, clock, telemetry, bindings: benchBindings, ...more });
    const background: Background = {
      handOver: async (report) => void handedOver.push(report),
    };
    const deps: FindImageDeps = {
      noteUse: createNoteUse({ cache, loadBackground: async () => background, clock, telemetry }),
      providerOf: (name) => [a, b, c].find((provider) => provider.name === name),
      pickedImages: createPickedImages({ stockMemory, clock, telemetry }),
      libraryOf: () => {
        const empty = createFakeStockProvider('library');
        empty.script(async () => []);
        return empty;
      },
      ...more,
      slots: { stock_a: a, stock_b: b, stock_c: c, ...slots },
      cachedImages,
      stockMemory,
      cache,
      renderer: {
        render: (job) => {
          jobs.push(job);
          return rendering(job);
        },
      },
      delivery: {
        publicUrl: (path) => deliveryUrl(`https://cdn.example/${path}`),
        signedUrl: () => Promise.reject(new Error('A stock image is public.')),
      },
      clock,
      ids,
      telemetry,
    };
    return { cachedImages, find: createFindImage(deps) };
  };

  const stock = instance();
  return {
    clock,
    stockMemory,
    cache,
    a,
    b,
    c,
    telemetry,
    jobs,
    /** Reports of a use. */
    handedOver,
    instance,
    stock,
    scriptRenderer(next: typeof rendering) {
      rendering = next;
    },
    /** Finds an image within ten seconds of the bench's clock, and stores what it found before it answers. */
    find: (request: StockRequest, by: Instance = stock, caller: SearchCaller = aSearchCaller) =>
      clock.settle(stockMemory.whole(cache.whole(by.find(request, 'webp', clock.nowMs() + 10_000, caller)))),
  };
}
