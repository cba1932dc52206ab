/** The services of the image function, as a test scripts them. */

import type { GetCommand } from '@aws-sdk/lib-dynamodb';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { systemIds } from '../../lambda/base/system';
import { defaultPlans } from '../../lambda/contract/plans';
import { defaultSite } from '../../lambda/contract/site';
import type { KeyRecord } from '../../lambda/credentials/api-keys';
import type { ImageServices, Parts } from '../../lambda/services';
import type { FindImage } from '../../lambda/stock/serve-stock';
import { master } from '../../packages/client/test/vectors';
import { createFakeApiKeys } from './api-keys';
import { accountId } from './branded';
import { createFakeLimits, databaseOf, type FakeLimits } from './limits';
import { arrival } from './observed';
import { createRecordedTelemetry } from './recorded-telemetry';
import { anImage, createFakeStock } from './stock';
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

/** What is done without any option. */
const config = {
  PLANS: defaultPlans,
  SITE: defaultSite,
  ANONYMOUS_LIMIT: {},
  IMAGE_BASE_URL: 'https://images.example',
  SLOT_BINDINGS: { stock_a: 'openverse', stock_b: 'wikimedia', stock_c: 'sandbox' },
} as unknown as ImageServices['config'];

const unexpected = () => Promise.reject(new Error('It is not expected.'));

interface Scripted extends Partial<Omit<ImageServices, 'parts' | 'config'>> {
  readonly config?: Partial<ImageServices['config']>;
  /** Where units are counted. */
  readonly limits?: FakeLimits;
  /** Where credentials are registered. */
  readonly register?: ReturnType<typeof createFakeApiKeys>;
  /** Awaited before an image is marked as paid. */
  readonly marking?: () => Promise<void>;
}

/** Serves stock images alone, and charges each request, unless the test says otherwise. */
export function imageServices(
  { find, ...parts }: Partial<Parts> & { readonly find?: FindImage } = {},
  scripted: Scripted = {},
) {
  const clock = scripted.clock ?? createVirtualClock();
  const telemetry = scripted.telemetry ?? createRecordedTelemetry();
  const {
    limits = createFakeLimits(clock, telemetry),
    register = createFakeApiKeys([ownSigner], clock),
    marking,
    ...given
  } = scripted;
  /** The images that were marked as paid. */
  const noted: { readonly key: string }[] = [];
  const services: ImageServices = {
    ...limits.services,
    // The keys have a table of their own.
    database: databaseOf(async (command) => {
      const { TableName, Key } = (command as GetCommand).input;
      if (String(Key?.['pk']).startsWith('PAID#')) {
        await (marking?.() ?? arrival());
        noted.push({ key: String(Key?.['pk']) });
      }
      const { database } = TableName === 'apiKeys' ? register.services : limits.services;
      return database.client.send(command as GetCommand);
    }),
    clock,
    ids: systemIds,
    telemetry,
    readMaster: async () => master,
    readAddressKey: async () => 'ip-hash-secret',
    pagesKept: createExpiringCache(10),
    publishing: { credentials: createExpiringCache(100) },
    paidToday: createExpiringCache(100),
    ...given,
    tables: limits.services.tables as ImageServices['tables'],
    config: { ...config, ...scripted.config },
    parts: {
      recordUsage: async () => undefined,
      reportUsage: unexpected,
      stock: { ...createFakeStock(limits), ...(find && { find }) },
      serveStock: unexpected,
      serveAi: async () => ({ outcome: 'refused', refusal: { code: 'upstream_unavailable' } }),
      servePicked: async () => ({ outcome: 'refused', refusal: { code: 'no_image_found' } }),
      servePermalink: async () => ({ outcome: 'refused', refusal: { code: 'not_found' } }),
      goneCard: async () => ({ ...anImage, fallback: 'gone' }),
      onRootUrl: () => undefined,
      ...parts,
    },
  };
  return { services, noted, register, limits };
}
