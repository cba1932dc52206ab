/** The services of the image function, as a test scripts them. */

import type { GetCommand } from '@aws-sdk/lib-dynamodb';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { systemIds } from '../../lambda/base/system';
import { defaultPlans } from '../../lambda/contract/plans';
import { defaultSite } from '../../lambda/contract/site';
import type { KeyRecord } from '../../lambda/credentials/key-store';
import type { Services } from '../../lambda/services';
import { master } from '../../packages/client/test/vectors';
import { createFakeApiKeys } from './api-keys';
import { accountId } from './branded';
import { createFakeStock } from './fake-stock';
import { createFakeLimits, type FakeLimits } from './limits';
import { arrival, databaseOf } from './memory-dynamodb';
import { createRecordedTelemetry } from './recorded-telemetry';
import { anImage } from './stock';
import type { ScriptedImages, ScriptedServices } from './uncached';
import { createVirtualClock } from './virtual-clock';

/** The signer by which the records of `acc_1` are published. */
const ownSigner = {
  keyId: 'sg_live_0123456789ab',
  mode: 'live',
  plan: 'free',
  account: accountId('acc_1'),
  publishedAs: 'signer',
  name: 'web',
  createdAt: '2026-11-01T00:00:00Z',
} as unknown as KeyRecord;

/** The configuration without any option. */
const config = {
  PLANS: defaultPlans,
  SITE: defaultSite,
  ANONYMOUS_LIMIT: {},
  IMAGE_BASE_URL: 'https://images.example',
  SLOT_BINDINGS: { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'sandbox' },
} as unknown as Services['config'];

interface Given extends Partial<Omit<Services, 'config'>> {
  readonly config?: Partial<Services['config']>;
  /** Where units are counted. */
  readonly limits?: FakeLimits;
  /** Where credentials are registered. */
  readonly register?: ReturnType<typeof createFakeApiKeys>;
  /** Awaited before an item of a key is written that marks an image as paid, or counts usage. */
  readonly writing?: (key: string) => Promise<void>;
}

/** Finds every image, makes no AI image, and charges each request, unless the test says otherwise. */
export function imageServices(scripted: Partial<ScriptedImages> = {}, given: Given = {}) {
  const clock = given.clock ?? createVirtualClock();
  const telemetry = given.telemetry ?? createRecordedTelemetry();
  const {
    limits = createFakeLimits(clock, telemetry),
    register = createFakeApiKeys([ownSigner], clock),
    writing = arrival,
    ...others
  } = given;
  const stock = createFakeStock(limits);
  /** The images that were marked as paid. */
  const noted: { readonly key: string }[] = [];
  const services: ScriptedServices = {
    ...stock,
    // The keys have a table of their own.
    database: databaseOf(async (command) => {
      const { TableName, Key } = (command as GetCommand).input;
      const key = String(Key?.['pk']);
      if (/^(PAID|USAGE)#/.test(key)) await writing(key);
      if (key.startsWith('PAID#')) noted.push({ key });
      const { database } = TableName === 'apiKeys' ? register.services : stock;
      return database.client.send(command as GetCommand);
    }),
    clock,
    ids: systemIds,
    telemetry,
    readMaster: async () => master,
    readAddressKey: async () => 'ip-hash-secret',
    pagesKept: createExpiringCache(10),
    pastMonths: createExpiringCache(10),
    publishing: { credentials: createExpiringCache(100) },
    paidToday: createExpiringCache(100),
    rootUrl: '',
    ...others,
    tables: limits.services.tables as Services['tables'],
    config: { ...config, ...given.config },
    scripted: {
      serveAi: async () => ({ outcome: 'refused', refusal: { code: 'upstream_unavailable' } }),
      serveAiPick: async () => ({ outcome: 'refused', refusal: { code: 'no_image_found' } }),
      servePermalink: async () => ({ outcome: 'refused', refusal: { code: 'not_found' } }),
      goneCard: async () => ({ ...anImage, fallback: 'gone' }),
      ...stock.scripted,
      ...scripted,
    },
  };
  /** Returns what was added to the usage of accounts: by each item, the sums of its counters. */
  const usage = () =>
    [...limits.memory.items('quotaCounters')]
      .filter(([pk]) => pk.startsWith('USAGE#'))
      .map(([, { pk: _, ttl: __, ...sums }]) => sums);
  return { services, stock, noted, register, limits, usage };
}
