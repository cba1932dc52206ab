/** Puts together what the commands for picks work with: the route of the API itself, for an operator who is charged nothing. */

import { createReadKey } from '../../lambda/aws/secrets/provider-keys';
import { createLogTelemetry } from '../../lambda/aws/telemetry/log-telemetry';
import type { RecordChange } from '../../lambda/base/change-log';
import { systemClock as clock, systemIds as ids } from '../../lambda/base/system';
import { defaultPlans } from '../../lambda/contract/plans';
import { stockSlots } from '../../lambda/contract/providers';
import { requestBudgetMs } from '../../lambda/contract/timeouts';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import { uncountedClient } from '../../lambda/credentials/client-ip';
import { createGenerationIndex } from '../../lambda/generation/dynamodb/generation-index';
import { createMayChoose } from '../../lambda/generation/serve-permalink';
import type { HttpRequest } from '../../lambda/http/http-request';
import type { HttpResult } from '../../lambda/http/http-response';
import { createOriginalFetcher } from '../../lambda/images/fetch/fetch-original';
import { drawSheet } from '../../lambda/images/look';
import { createPickedImages } from '../../lambda/images/picked-images';
import { createSharpCodec } from '../../lambda/images/sharp/sharp-codec';
import { answerPicks, choosableBy, type PicksDeps } from '../../lambda/pages/picks';
import type { Payment } from '../../lambda/quota/payment';
import { rateLimitStatusOf } from '../../lambda/quota/quota';
import { limitsOf } from '../../lambda/quota/request-context';
import { createChooseImage } from '../../lambda/stock/choose-image';
import { createChosenImages } from '../../lambda/stock/chosen-images';
import { createContactSheet, type SheetDeps } from '../../lambda/stock/contact-sheet';
import { createCurate, createCurations } from '../../lambda/stock/curation';
import { createItemStore } from '../../lambda/stock/dynamodb/item-store';
import { createJudge } from '../../lambda/stock/judge';
import { createPhotoProvider, createReadPhotoIndex } from '../../lambda/stock/providers/library';
import { userAgentOf } from '../../lambda/stock/providers/provider-settings';
import { createProviders } from '../../lambda/stock/providers/providers';
import { readConfiguration } from '../providers/configuration';
import type { Service } from '../service';

/** A request to the route: its method and, in the URL or the body, its parameters. */
export interface AskedPicks {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly values: Readonly<Record<string, string | number | undefined>>;
}

/** @throws `Failure` for a service that does not tell its tables or providers */
export function openPicks(service: Service, caller: KeyedCaller, record: RecordChange) {
  const { client, tables, lacks } = service;
  if (!tables.stockMemory || !tables.cache || !tables.generationIndex) throw lacks('tables of images');
  const telemetry = createLogTelemetry({ functionName: 'picks', write: () => undefined, nowMs: clock.nowMs });
  const stockMemory = createItemStore(client, tables.stockMemory, clock);
  const cache = createItemStore(client, tables.cache, clock);
  const pickedImages = createPickedImages({ stockMemory, clock, telemetry });
  const mayChoose = createMayChoose(createGenerationIndex(client, tables.generationIndex), pickedImages);
  const stock = { stockMemory, cache, pickedImages, clock, ids, telemetry };
  const limits = limitsOf(caller, uncountedClient, defaultPlans, clock.nowMs());
  const rateLimit = rateLimitStatusOf(limits.quota, 0);
  const payment: Payment = { state: 'free', because: 'unlimited', rateLimit };
  const deps: PicksDeps = {
    ...sheetsOf(service, stock),
    chooseImage: createChooseImage(stock),
    curate: createCurate(
      createCurations(stockMemory, clock),
      async () => createChosenImages(stockMemory),
      telemetry,
    ),
    choosable: (pick, account) => choosableBy({ pickedImages, mayChoose }, pick, account),
    recordChange: (_, change) => record(change),
    ledger: {
      charge: async () => ({ outcome: 'admitted', payment }),
      refund: async () => payment,
      take: async (of) => ({ outcome: 'taken', of }),
    },
    recordUsage: () => ({ expect: () => undefined, settle: async () => undefined }),
    contextOf: () => ({
      ...limits,
      requestId: ids.hex(8),
      format: 'jpeg',
      deadlineMs: clock.nowMs() + requestBudgetMs,
    }),
    nowMs: clock.nowMs,
  };
  return ({ method, values }: AskedPicks): Promise<HttpResult> => {
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    const request: HttpRequest = {
      method,
      resource: '',
      pathParameters: {},
      query: Object.fromEntries(given.map(([name, value]) => [name, [String(value)]])),
      header: (name) => (name === 'content-type' ? 'application/json' : undefined),
      body: { text: JSON.stringify(Object.fromEntries(given)), isBase64: false },
      admission: { outcome: 'known', caller },
      clientIp: '',
      isMisdirected: false,
      requestId: '',
      receivedMs: clock.nowMs(),
      startedMs: clock.nowMs(),
      rootUrl: service.url ?? '',
    };
    return answerPicks(deps, request);
  };
}

/** Searches as the functions do, and draws in this process. */
function sheetsOf(
  service: Service,
  stock: Omit<SheetDeps, 'slots' | 'judge' | 'rewrite'>,
): Pick<PicksDeps, 'makeSheet' | 'drawSheet'> {
  const config = readConfiguration(service);
  const { PROVIDER_ENDPOINTS: endpoints, PROVIDER_QUOTAS: quotas, SLOT_BINDINGS: bindings } = config;
  const contact = () => config.CONTACT;
  const readKey = createReadKey(service.readSecret, config.PROVIDER_SECRET_ID);
  const createProvider = createProviders({ readKey, contact, clock, endpoints, quotas });
  const library = service.openLibrary();
  const readIndex = createReadPhotoIndex(library);
  const slots = stockSlots.map((slot) => [slot, createProvider(bindings[slot])]);
  const drawing = {
    library,
    codec: createSharpCodec(),
    fetchOriginal: createOriginalFetcher({
      allowedLoopback: Object.values(endpoints).map((endpoint) => new URL(endpoint).host),
      userAgent: () => userAgentOf({ contact }),
    }),
    drawScene: async (scene: Parameters<Parameters<typeof drawSheet>[0]['drawScene']>[0]) =>
      (await import('@image-redirect/scene')).drawScene(scene),
  };
  return {
    makeSheet: createContactSheet({
      ...stock,
      slots: Object.fromEntries(slots) as SheetDeps['slots'],
      ownPhotos: {
        isFirst: config.LIBRARY_FIRST,
        providerOf: (photos) => createPhotoProvider(readIndex, photos),
      },
      imageDelivery: config.IMAGE_DELIVERY,
      // What a judge has said is read; it is sent nothing, as nobody is charged for it.
      judge: createJudge({ ...stock, request: () => Promise.reject(new Error('not asked')) }),
      rewrite: undefined,
    }),
    drawSheet: async (job, deadlineMs) =>
      (await drawSheet(drawing, job, AbortSignal.timeout(deadlineMs - clock.nowMs()))).jpegs,
  };
}
