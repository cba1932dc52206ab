/** Use these values where a test needs a caller, a request, an image, a key or a context, whichever it is. */

import { randomBytes } from 'node:crypto';
import { defaultPlans } from '../../lambda/contract/plans';
import type { KeyHash } from '../../lambda/credentials/api-key';
import type { AccountId, Caller, KeyedCaller } from '../../lambda/credentials/caller';
import type { StoredKey } from '../../lambda/credentials/key-store';
import { makeSignerId } from '../../lambda/credentials/signer';
import type { AllowedOrigin } from '../../lambda/credentials/site-key';
import type { ImageKey } from '../../lambda/generation/ai-image-identity';
import type { GenerationJob } from '../../lambda/generation/generate-image';
import type { ProviderUrl } from '../../lambda/images/allowed-url';
import type { DeliveryUrl } from '../../lambda/images/delivery-urls';
import type { Placeholder, ServedImage } from '../../lambda/images/image';
import type { StoredPath } from '../../lambda/images/stored-path';
import { listRequestLimits, listWorkLimits } from '../../lambda/quota/caller-limits';
import type { AiRequest, StockRequest } from '../../lambda/requests/image-request';
import type { RequestContext } from '../../lambda/serving/request-context';
import type { LookupContext } from '../../lambda/stock/search/lookup';

export const makeAccountId = (text: string) => text as AccountId;
export const makeKeyHash = (text: string) => text as KeyHash;
export const makeAllowedOrigin = (text: string) => text as AllowedOrigin;
export const makeImageKey = (text: string) => text as ImageKey;
export const makeDeliveryUrl = (text: string) => text as DeliveryUrl;
export const makeProviderUrl = (text: string) => text as ProviderUrl;
export const makeStoredPath = (text: string) => text as StoredPath;

export const aiCaller: KeyedCaller = {
  kind: 'live',
  account: makeAccountId('acc_1'),
  plan: 'pro',
  keyId: 'k',
};

export const aiRequest: AiRequest = {
  source: 'ai',
  query: 'lake',
  widthPx: 300,
  heightPx: 200,
  style: 'photo',
  visibility: 'private',
  asJson: false,
};

export const generationJob: GenerationJob = {
  key: makeImageKey(`G#live#acc_1#private#${'0'.repeat(64)}`),
  generationId: 'EX',
  countedUnits: [],
  workLimits: [],
  task: { words: 'sea', style: 'photo', ratio: '16:9', seed: 1 },
};

/** An image that nothing is wrong with. */
export const servedImage: ServedImage = {
  location: makeDeliveryUrl('https://images.example.org/stock/1-1920x1080.jpg'),
  widthPx: 1920,
  heightPx: 1080,
  source: 'stock_a',
  attribution: {
    providerName: 'Openverse',
    creator: 'Zoë Müller',
    creatorUrl: 'https://example.org/zoe',
    landingUrl: 'https://example.org/zoe/1',
    license: { id: 'cc-by-4.0', name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
    creditLine: '“Lake” by Zoë Müller, CC BY 4.0',
  },
};

/** The answer to a request for which no provider has an image. */
export const noImage = { outcome: 'refused', refusal: { code: 'no_image_found' } } as const;

/** A placeholder of a form that every reader takes. */
export const webpPlaceholder: Placeholder = {
  color: '#6a7b8c',
  dataUri: 'data:image/webp;base64,UklGRhIAAABXRUJQVlA4TAYAAAAvAAAAAAfQ',
};

/** A request of the first slot for 1920 × 1080 pixels. */
export function makeStockRequest(query: string, change: Partial<StockRequest> = {}): StockRequest {
  return {
    query,
    source: 'stock_a',
    seed: '',
    filters: {},
    widthPx: 1_920,
    heightPx: 1_080,
    asJson: false,
    ...change,
  };
}

type HashedRecord = StoredKey & { readonly hash: KeyHash };

/** A new, unique record of an API key. */
export function makeKeyRecord(change: Partial<HashedRecord> = {}): HashedRecord {
  return {
    keyId: `key_${randomBytes(6).toString('hex')}`,
    hash: makeKeyHash(randomBytes(32).toString('hex')),
    mode: 'live',
    account: makeAccountId(`acc_${randomBytes(6).toString('hex')}`),
    plan: 'free',
    name: 'Ærø “shop” 🌊',
    createdAt: '2026-11-21T12:00:00.000Z',
    createdBy: 'jane',
    ...change,
  };
}

/** A new, unique record of a signer. */
export function makeSignerRecord(change: Partial<StoredKey> = {}): StoredKey {
  const { hash: _hash, ...record } = makeKeyRecord();
  return { ...record, keyId: makeSignerId('live', randomBytes), publishedAs: 'signer', ...change };
}

/** A new, unique record of a site key. */
export function makeSiteKeyRecord(change: Partial<HashedRecord> = {}): HashedRecord {
  return makeKeyRecord({
    publishedAs: 'site',
    origins: [makeAllowedOrigin('https://example.com'), makeAllowedOrigin('https://*.example.com')],
    maxPerMonth: 500,
    ...change,
  });
}

export function makeContext(
  caller: Caller,
  nowMs: number,
  { plans = defaultPlans, ...changes }: Partial<RequestContext> & { plans?: typeof defaultPlans } = {},
): RequestContext {
  return {
    requestLimits: listRequestLimits(caller, '', plans, nowMs),
    workLimits: listWorkLimits(caller, '', nowMs),
    ...(caller.kind !== 'anonymous' && { account: caller.account }),
    requestId: 'r',
    format: 'webp',
    ...changes,
  };
}

export const lookupContext: LookupContext = {
  account: makeAccountId('acc_1'),
  requestId: 'request-1',
  workLimits: [],
  searchTakesUnit: false,
  format: 'webp',
};
