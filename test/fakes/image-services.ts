/**
 * Use these services where a test is about the function `api`: it scripts the images that are found or made.
 * What it scripts stands in place of the functions that `lambda/serving/image-code.ts` calls.
 */

import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { defaultPlans } from '../../lambda/contract/plans';
import { defaultSite } from '../../lambda/contract/settings';
import type { StoredKey } from '../../lambda/credentials/key-store';
import type { decideAndReserve, decideRequestByPick } from '../../lambda/generation/decide-ai-request';
import type { obtainAiImage } from '../../lambda/generation/obtain-ai-image';
import type { renderGoneCard } from '../../lambda/images/gone-card';
import type { ServedImage } from '../../lambda/images/image';
import type { ImageOutcome } from '../../lambda/images/image-outcome';
import type { Services } from '../../lambda/services/services';
import type { reportFirstUseOfDay } from '../../lambda/stock/report-use';
import type { LookupContext } from '../../lambda/stock/search/lookup';
import type { obtainStockImage } from '../../lambda/stock/search/obtain-image';
import { createStockMemory } from '../../lambda/stock/stock-services';
import { master } from '../../packages/client/test/vectors';
import { createFakeApiKeys } from './api-keys';
import { createVirtualClock } from './clock';
import { createFakeLimits, type FakeLimits } from './limits';
import { awaitArrival, createDatabase } from './memory-database';
import { createServicesOn } from './services';
import { createRecordedTelemetry } from './telemetry';
import { makeAccountId, noImage, servedImage } from './values';

/** A function of the service without its first parameter, the services. */
type Bound<F> = F extends (services: never, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** The images that a test scripts. A function that is called and not scripted rejects. */
export interface ScriptedImages {
  readonly obtainStockImage: Bound<typeof obtainStockImage>;
  readonly reportFirstUseOfDay: Bound<typeof reportFirstUseOfDay>;
  readonly decideAndReserve: Bound<typeof decideAndReserve>;
  readonly decideRequestByPick: Bound<typeof decideRequestByPick>;
  readonly obtainAiImage: Bound<typeof obtainAiImage>;
  readonly renderGoneCard: Bound<typeof renderGoneCard>;
}

/** Services by which the function `api` answers in a test. */
export interface ScriptedServices extends Services {
  readonly scripted: Partial<ScriptedImages>;
}

/** Makes a module of functions that call those which the test has scripted in their services. */
const mockScripted = <Module>(...names: readonly (keyof Module & keyof ScriptedImages)[]) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      async ({ scripted }: ScriptedServices, ...values: readonly unknown[]) => {
        const part = scripted[name] as ((...values: readonly unknown[]) => unknown) | undefined;
        if (!part) throw new Error(`${name} is not expected.`);
        return part(...values);
      },
    ]),
  );
jest.mock('../../lambda/services/image-services', () => ({
  createImageServices: async (services: Services) => ({ ...services }),
}));
jest.mock('../../lambda/stock/search/obtain-image', () =>
  mockScripted<typeof import('../../lambda/stock/search/obtain-image')>('obtainStockImage'),
);
jest.mock('../../lambda/stock/report-use', () =>
  mockScripted<typeof import('../../lambda/stock/report-use')>('reportFirstUseOfDay'),
);
jest.mock('../../lambda/generation/decide-ai-request', () =>
  mockScripted<typeof import('../../lambda/generation/decide-ai-request')>(
    'decideAndReserve',
    'decideRequestByPick',
  ),
);
jest.mock('../../lambda/generation/obtain-ai-image', () =>
  mockScripted<typeof import('../../lambda/generation/obtain-ai-image')>('obtainAiImage'),
);
jest.mock('../../lambda/images/gone-card', () =>
  mockScripted<typeof import('../../lambda/images/gone-card')>('renderGoneCard'),
);

/** The signer by which the records of `acc_1` are published. */
const ownSigner = {
  keyId: 'sg_live_0123456789ab',
  mode: 'live',
  plan: 'free',
  account: makeAccountId('acc_1'),
  publishedAs: 'signer',
  name: 'web',
  createdAt: '2026-11-01T00:00:00Z',
} as unknown as StoredKey;

const bindings = { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'sandbox' } as const;

/** The configuration without any option. */
const config = {
  PLANS: defaultPlans,
  SITE: defaultSite,
  ANONYMOUS_LIMIT: {},
  IMAGE_BASE_URL: 'https://images.example',
  SLOT_BINDINGS: bindings,
} as unknown as Services['config'];

interface ScriptedOptions extends Partial<Omit<Services, 'config'>> {
  readonly config?: Partial<Services['config']>;
  /** Where units are counted. */
  readonly limits?: FakeLimits;
  /** Where credentials are stored. */
  readonly apiKeys?: ReturnType<typeof createFakeApiKeys>;
  /** Awaited before a mark of a paid image or a count of usage is written. */
  readonly beforeWrite?: (key: string) => Promise<void>;
}

type StoredImage = ServedImage | undefined | Promise<ServedImage | undefined>;
type SearchResult = ImageOutcome | Error | ((context: LookupContext) => Promise<ImageOutcome>);

/** Creates services that find every image, make no AI image, and charge each request, unless `scripted` says otherwise. */
export function createScriptedServices(
  scripted: Partial<ScriptedImages> = {},
  options: ScriptedOptions = {},
) {
  const { clock = createVirtualClock(), telemetry = createRecordedTelemetry() } = options;
  const {
    limits = createFakeLimits(clock, telemetry),
    apiKeys = createFakeApiKeys([ownSigner], clock),
    beforeWrite = awaitArrival,
    ...otherServices
  } = options;
  const calls: ('read stored answer' | 'search')[] = [];
  const useOwners: string[] = [];
  const paidMarks: { readonly key: string }[] = [];
  let storedImage: StoredImage;
  let storedAnswerEndsMs = Number.MAX_SAFE_INTEGER;
  let searchResult: SearchResult = { outcome: 'served', image: servedImage, cache: 'MISS' };
  const database = createDatabase(async (command) => {
    const { TableName, Key } = (command as GetCommand).input;
    const key = String(Key?.['pk']);
    if (/^(PAID|USAGE)#/.test(key)) await beforeWrite(key);
    if (key.startsWith('PAID#')) paidMarks.push({ key });
    if (command instanceof GetCommand && key.startsWith('ANSWER#')) {
      calls.push('read stored answer');
      const value = { image: await storedImage, provider: 'openverse', endsMs: storedAnswerEndsMs };
      return value.image ? { Item: { value: JSON.stringify(value) } } : {};
    }
    // The keys have a table of their own.
    const { client } = (TableName === 'apiKeys' ? apiKeys : limits).services.database;
    return client.send(command as GetCommand);
  });
  const services = createServicesOn<ScriptedServices>(
    { database, tableNames: limits.memory.tableNames },
    {
      clock,
      telemetry,
      refusals: limits.services.refusals,
      readMaster: async () => master,
      readAddressKey: async () => 'ip-hash-secret',
      pastMonths: createExpiringCache(10),
      credentialsByAccount: createExpiringCache(100),
      rootUrl: '',
      stockMemory: {
        ...createStockMemory(),
        answers: { get: () => undefined, set: () => undefined, delete: () => undefined },
      },
      stockSettings: {
        bindings,
        imageDelivery: 'provider',
        imageBaseUrl: 'https://images.example.org',
        endpoints: {},
      },
      ...otherServices,
      config: { ...config, ...options.config },
      scripted: {
        async obtainStockImage(_, context) {
          calls.push('search');
          if (searchResult instanceof Error) throw searchResult;
          return typeof searchResult === 'function' ? searchResult(context) : searchResult;
        },
        reportFirstUseOfDay: async (_, owner) => void useOwners.push(owner),
        decideAndReserve: async (request) => ({
          outcome: 'refused',
          refusal: { code: 'imageId' in request ? 'not_found' : 'upstream_unavailable' },
        }),
        decideRequestByPick: async () => noImage,
        renderGoneCard: async () => ({
          outcome: 'stored',
          image: { ...servedImage, fallback: 'gone' },
          isNew: true,
        }),
        ...scripted,
      },
    },
  );
  const stock = {
    /** The calls of the request, in order. */
    calls,
    /** The accounts whose uses were handed over to be reported. */
    useOwners,
    /** Sets the image of the stored answer: none, an image, or a promise that a test settles. It may have ended. */
    setStoredAnswer(image: StoredImage, endsMs = Number.MAX_SAFE_INTEGER) {
      storedImage = image;
      storedAnswerEndsMs = endsMs;
    },
    /** Sets the result of each search, or a function that finds it; an `Error` is thrown. */
    setSearchResult(result: SearchResult) {
      searchResult = result;
    },
  };
  /** Returns what was added to the usage of accounts: by each item, the sums of its counters. */
  const listUsage = () =>
    [...limits.memory.listItems('quotaCounters')]
      .filter(([pk]) => pk.startsWith('USAGE#'))
      .map(([, { pk: _, ttl: __, ...sums }]) => sums);
  /** `paidMarks`: the marks of images that were paid. */
  return { services, stock, paidMarks, apiKeys, limits, listUsage };
}
