/** Use this where a test looks up stock images. Providers and renderer are scripted. */

import { createExpiringCache } from '../../lambda/base/expiring-cache';
import type { SlotBindings, StockProviderName } from '../../lambda/contract/providers';
import type { ServedImage } from '../../lambda/images/image';
import type { RenditionJob, RenditionOutcome } from '../../lambda/images/renderer-job';
import type { StockRequest } from '../../lambda/requests/image-request';
import type { LookupContext } from '../../lambda/stock/search/lookup';
import { obtainStockImage } from '../../lambda/stock/search/obtain-image';
import { createStockMemory, type StockServices, type StockSettings } from '../../lambda/stock/stock-services';
import { createVirtualClock } from '../fakes/clock';
import type { Engine } from '../fakes/database';
import { createServicesOn } from '../fakes/services';
import {
  createFakeStockProvider,
  type FakeStockOptions,
  type FakeStockProvider,
  makeCandidate,
} from '../fakes/stock-provider';
import { createRecordedTelemetry } from '../fakes/telemetry';
import { lookupContext, makeStockRequest } from '../fakes/values';

/** The providers that stand at the slots. */
export const bindings: SlotBindings = { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'pixabay' };

let words = 0;
/** Makes words that no other test has used. */
export const makeNewWords = () => `lake ${++words}`;
/** Makes a request for new words. */
export const makeNewRequest = (change: Partial<StockRequest> = {}) =>
  makeStockRequest(makeNewWords(), change);
/** Makes the same request in a larger size of the same orientation. */
export const enlarge = (request: StockRequest) => ({ ...request, widthPx: 2_000 });

export const makeDescription = (rank: number, coverage = 1) => ({ rank, match: { score: 1, coverage } });
/** Makes candidates that match all words, best first. */
export const makeCandidates = (...ids: string[]) =>
  ids.map((id, index) => makeCandidate(id, { description: makeDescription(index + 1) }));
/** Makes the script of a provider with one image that matches few words. */
export const scriptLoose =
  (id: string, coverage = 0.1) =>
  async () => [makeCandidate(id, { description: makeDescription(1, coverage) })];

export function createStockSetup(engine: Engine, options: FakeStockOptions = {}) {
  const clock = createVirtualClock();
  const telemetry = createRecordedTelemetry();
  const jobs: RenditionJob[] = [];
  const reportedUrls: string[] = [];
  const providers = new Map<string, FakeStockProvider>(
    [...Object.values(bindings), 'sandbox' as const].map((name) => [
      name,
      createFakeStockProvider(name, options),
    ]),
  );
  let render = async (_: RenditionJob): Promise<RenditionOutcome> => ({ outcome: 'stored' });
  /** Makes another instance, with the same tables and an empty memory. */
  const createInstance = (settings: Partial<StockSettings> = {}): StockServices => ({
    ...createServicesOn(engine, { clock }),
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
    ids: { makeUlid: () => '', makeBytes: () => new Uint8Array(), makeHex: () => String(Math.random()) },
    imageDomain: { baseUrl: 'https://cdn.example' },
    renderer: {
      render: async (job) => {
        jobs.push(job);
        return render(job);
      },
    },
    findProvider: (name: StockProviderName) => providers.get(name) as FakeStockProvider,
    handOverUse: async ({ url }) => void reportedUrls.push(url),
  });
  const find = (request: StockRequest, context = lookupContext, services = createInstance()) =>
    obtainStockImage(services, request, context);
  /** Finds an image, and throws if there is none. */
  const findServed = async (request: StockRequest): Promise<ServedImage> => {
    const answer = await find(request);
    if (answer.outcome !== 'served') throw new Error(`No image: ${answer.refusal.code}`);
    return answer.image;
  };
  /** Returns the credit of the image that is found, or the code of the refusal. */
  const findCreditOrCode = async (request: StockRequest, context?: LookupContext) => {
    const answer = await find(request, context);
    return answer.outcome === 'served' ? answer.image.attribution.creditLine : answer.refusal.code;
  };
  const setRender = (nextRender: typeof render) => {
    render = nextRender;
  };
  return {
    clock,
    telemetry,
    jobs,
    reportedUrls,
    a: providers.get('openverse') as FakeStockProvider,
    b: providers.get('wikimedia') as FakeStockProvider,
    c: providers.get('pixabay') as FakeStockProvider,
    createInstance,
    find,
    findServed,
    findCreditOrCode,
    setRender,
    /** Renders all images except those with a text in their URL. */
    failToRender: (text: string, fault: { isTemporary?: true } = {}) =>
      setRender(async ({ source }) =>
        'url' in source && source.url.includes(text)
          ? { outcome: 'unusable', reason: 'not loaded', ...fault }
          : { outcome: 'stored', isNew: true },
      ),
  };
}
