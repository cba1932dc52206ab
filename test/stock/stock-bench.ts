/** The search for stock images on embedded tables, with scripted providers and a scripted renderer. */

import { createExpiringCache } from '../../lambda/base/expiring-cache';
import type { SlotBindings, StockProviderName } from '../../lambda/contract/providers';
import type { ServedImage } from '../../lambda/images/image';
import type { RenditionJob, RenditionOutcome } from '../../lambda/images/renderer-job';
import type { StockRequest } from '../../lambda/requests/image-request';
import { findImage } from '../../lambda/stock/search/find-image';
import type { SearchContext } from '../../lambda/stock/search/search-types';
import { createStockMemory, type StockServices, type StockSettings } from '../../lambda/stock/stock-services';
import { createVirtualClock } from '../fakes/clock';
import type { Engine } from '../fakes/database';
import { servicesOn } from '../fakes/services';
import {
  candidate,
  createFakeStockProvider,
  type FakeStockOptions,
  type FakeStockProvider,
} from '../fakes/stock-provider';
import { createRecordedTelemetry } from '../fakes/telemetry';
import { aSearchContext, request } from '../fakes/values';

/** The providers that stand at the slots. */
export const bindings: SlotBindings = { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'pixabay' };

let words = 0;
/** Words that no other test has used. */
export const newWords = () => `lake ${++words}`;
/** A request for such words. */
export const newRequest = (change: Partial<StockRequest> = {}) => request(newWords(), change);
/** The same request in a size of the same orientation. */
export const larger = (of: StockRequest) => ({ ...of, widthPx: 2_000 });

export const described = (rank: number, coverage = 1) => ({ rank, match: { score: 1, coverage } });
/** Candidates that have all of the words, best first. */
export const named = (...ids: string[]) =>
  ids.map((id, index) => candidate(id, { description: described(index + 1) }));
/** A script of a provider whose only image has few of the words. */
export const loose =
  (id: string, coverage = 0.1) =>
  async () => [candidate(id, { description: described(1, coverage) })];

export function createBench(engine: Engine, options: FakeStockOptions = {}) {
  const clock = createVirtualClock();
  const telemetry = createRecordedTelemetry();
  const jobs: RenditionJob[] = [];
  const handedOver: string[] = [];
  const providers = new Map<string, FakeStockProvider>(
    [...Object.values(bindings), 'sandbox' as const].map((name) => [
      name,
      createFakeStockProvider(name, options),
    ]),
  );
  let render = async (_: RenditionJob): Promise<RenditionOutcome> => ({ outcome: 'stored' });
  /** Makes another instance: the same tables, and nothing that this one remembers. */
  const instance = (settings: Partial<StockSettings> = {}): StockServices => ({
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
      ...settings,
    },
    ids: { ulid: () => '', bytes: () => new Uint8Array(), hex: () => String(Math.random()) },
    imageDomain: { baseUrl: 'https://cdn.example' },
    renderer: {
      render: async (job) => {
        jobs.push(job);
        return render(job);
      },
    },
    findProvider: (name: StockProviderName) => providers.get(name) as FakeStockProvider,
    handOverUse: async ({ url }) => void handedOver.push(url),
  });
  const find = (of: StockRequest, context = aSearchContext, by = instance()) => findImage(by, of, context);
  /** Finds the image of a request that has one. */
  const findServed = async (of: StockRequest): Promise<ServedImage> => {
    const answer = await find(of);
    if (answer.outcome !== 'served') throw new Error(`No image: ${answer.refusal.code}`);
    return answer.image;
  };
  /** The credit line of the image that a request is answered with, or why there is none. */
  const shown = async (of: StockRequest, context?: SearchContext) => {
    const answer = await find(of, context);
    return answer.outcome === 'served' ? answer.image.attribution.creditLine : answer.refusal.code;
  };
  const renders = (how: typeof render) => {
    render = how;
  };
  return {
    clock,
    telemetry,
    jobs,
    handedOver,
    a: providers.get('openverse') as FakeStockProvider,
    b: providers.get('wikimedia') as FakeStockProvider,
    c: providers.get('pixabay') as FakeStockProvider,
    instance,
    find,
    findServed,
    shown,
    renders,
    /** Renders all images, but for those whose URLs contain a text. */
    rendersAllBut: (text: string, fault: { isTemporary?: true } = {}) =>
      renders(async ({ source }) =>
        'url' in source && source.url.includes(text)
          ? { outcome: 'unusable', reason: 'not loaded', ...fault }
          : { outcome: 'stored', isNew: true },
      ),
  };
}
