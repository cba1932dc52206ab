/** The names that the deployed stack and the code that runs in it share; imports nothing, so either side may read it. */

/** One DynamoDB table: what the stack creates in AWS is what the local service creates in its embedded engine. */
export interface TableDefinition {
  readonly partitionKey: string;
  readonly indexes: readonly IndexDefinition[];
  /** Attribute that holds the expiry in epoch seconds. DynamoDB deletes late, so readers check it themselves. */
  readonly ttl: string;
}

/** One global secondary index. `keysOnly` projects nothing but keys. */
export interface IndexDefinition {
  readonly name: string;
  readonly partitionKey: AttributeDefinition;
  readonly sortKey?: AttributeDefinition;
  readonly keysOnly: boolean;
}

/** An indexed attribute and its DynamoDB type: string or number. */
export interface AttributeDefinition {
  readonly name: string;
  readonly type: 'S' | 'N';
}

export const tables = {
  /** One item per API key, found by the key's SHA-256. */
  apiKeys: {
    partitionKey: 'pk',
    indexes: [
      {
        name: 'byAccount',
        partitionKey: { name: 'account', type: 'S' },
        sortKey: { name: 'createdAt', type: 'S' },
        keysOnly: false,
      },
    ],
    ttl: 'ttl',
  },
  /** Quota, hourly windows, usage break-downs and the model's request budget. */
  quotaCounters: {
    partitionKey: 'pk',
    indexes: [
      // Sparse: an item is in it only while it holds units, so a scan of the index reads pending work alone.
      { name: 'bySweepAt', partitionKey: { name: 'sweepAt', type: 'N' }, keysOnly: true },
    ],
    ttl: 'ttl',
  },
  /** One item per distinct AI image, with its lease. */
  generationIndex: {
    partitionKey: 'pk',
    indexes: [
      {
        name: 'publicByLook',
        partitionKey: { name: 'look', type: 'S' },
        sortKey: { name: 'listedAt', type: 'S' },
        keysOnly: false,
      },
      { name: 'byImageId', partitionKey: { name: 'imageId', type: 'S' }, keysOnly: true },
    ],
    ttl: 'ttl',
  },
  /** Answers of stock providers and what was chosen from them. */
  lookupCache: { partitionKey: 'pk', indexes: [], ttl: 'ttl' },
} as const satisfies Record<string, TableDefinition>;

export type TableName = keyof typeof tables;

/** Environment variable that tells a function the physical name of a table. */
export const tableVariables = {
  apiKeys: 'API_KEYS_TABLE',
  quotaCounters: 'QUOTA_COUNTERS_TABLE',
  generationIndex: 'GENERATION_INDEX_TABLE',
  lookupCache: 'LOOKUP_CACHE_TABLE',
} as const satisfies Record<TableName, string>;

/**
 * What each function is told by its environment, beside its tables. The stack sets exactly these, `main.ts` reads
 * exactly these.
 */
export const variables = {
  /** JSON: tier → value of the API Gateway key of its usage plan. */
  tierKeys: 'TIER_KEYS',
  /** JSON: stock slot → provider adapter. */
  slotBindings: 'SLOT_BINDINGS',
  /** Secret of the keyed hash under which client IP addresses are counted. */
  ipHashSecret: 'ADDRESS_SECRET',
  /** URL of the CDN in front of the image library, without a trailing slash. */
  imageBaseUrl: 'IMAGE_BASE_URL',
  /** `s3://bucket`, or `file:///folder` in the local service. */
  imageStore: 'IMAGE_STORE',
  /** Names of the functions that are invoked by others. */
  rendererFunction: 'RENDERER_FUNCTION',
  generatorFunction: 'GENERATOR_FUNCTION',
  /** Secrets Manager id of the P-256 private key (PEM) that signs URLs of private images. */
  signingSecretId: 'SIGNING_SECRET_ID',
  /** CloudFront's id of the matching public key. */
  signingKeyPairId: 'SIGNING_KEY_PAIR_ID',
  /** Secrets Manager id of a JSON object: provider → key. Absent when every bound provider is keyless. */
  providerSecretId: 'PROVIDER_SECRET_ID',
  /** JSON: provider → base URL that replaces its own (local fake providers). */
  providerEndpoints: 'PROVIDER_ENDPOINTS',
  /** JSON: provider → requests it may be asked `perMinute`, `perHour` and `perDay`, instead of what it documents. */
  providerQuotas: 'PROVIDER_QUOTAS',
  /** Who operates the service, for the User-Agent that providers ask for: an e-mail or web address. */
  contact: 'CONTACT',
  /** CloudWatch namespace of the function's metrics, one for each stack. */
  metricNamespace: 'METRIC_NAMESPACE',
  /** JSON that replaces some of the default plans' limits. */
  plans: 'PLANS',
  /** Seconds that a browser may keep a redirect. */
  redirectMaxAge: 'REDIRECT_MAX_AGE_S',
  /** JSON: which generator draws AI images, and its settings. */
  generator: 'GENERATOR',
  /** `on` when test keys may use the real generator too. */
  testKeysGenerate: 'TEST_KEYS_GENERATE',
  /** Name of the EventBridge bus that hears of accounts near their limit; absent for the log alone. */
  eventBus: 'EVENT_BUS',
} as const;

/** Metrics of a service that has no stack are counted under this namespace. */
export const localMetricNamespace = 'ImageRedirect';

/** Names of the stack's outputs: where operators and scripts read what a deployment has made. */
export const outputs = {
  /** Root of the service without a trailing slash. */
  apiUrl: 'ApiUrl',
  /** URL of the image CDN without a trailing slash. */
  imageUrl: 'ImageUrl',
  /** Host that the DNS record of `apiDomain` points to; only with one. */
  apiDomainTarget: 'ApiDomainTarget',
  /** CloudFront's host, which the DNS record of `imageDomain` points to. */
  imageHost: 'ImageHost',
  apiKeysTable: 'ApiKeysTableName',
  quotaCountersTable: 'QuotaCountersTableName',
  lookupCacheTable: 'LookupCacheTableName',
  /** JSON that replaces some of the default plans' limits, as the functions are told. */
  plans: 'Plans',
  /** JSON of what the functions are told about stock providers, by the names in `variables`. */
  stockProviders: 'StockProviders',
} as const;

/** Paths of the API, without the stage prefix. */
export const routes = {
  image: '/api/image',
  imagePath: '/api/image/{spec}',
  /** The lasting URL of one AI image. */
  permalink: '/api/image/id/{id}',
  usage: '/api/usage',
  docs: '/',
  openApi: '/openapi.json',
  llms: '/llms.txt',
} as const;

/**
 * One resource of the API: the function behind its GET and HEAD. The gateway itself answers OPTIONS with a preflight
 * and every other method with 405, so that neither starts a function.
 */
export interface ApiRoute {
  readonly path: (typeof routes)[keyof typeof routes];
  readonly function: 'redirect' | 'usage' | 'docs';
  /** Whether GET and HEAD pass the authorizer and a usage plan first. */
  readonly isAuthorized: boolean;
}

const keyed = { isAuthorized: true } as const;
const unkeyed = { isAuthorized: false } as const;

/** The whole API: what the stack makes of it in API Gateway, the local gateway serves. */
export const apiRoutes: readonly ApiRoute[] = [
  { path: routes.image, function: 'redirect', ...keyed },
  { path: routes.imagePath, function: 'redirect', ...keyed },
  { path: routes.permalink, function: 'redirect', ...keyed },
  { path: routes.usage, function: 'usage', ...keyed },
  { path: routes.docs, function: 'docs', ...unkeyed },
  { path: routes.openApi, function: 'docs', ...unkeyed },
  { path: routes.llms, function: 'docs', ...unkeyed },
];

/** Methods that the functions answer; the gateway answers the others. */
export const functionMethods = ['GET', 'HEAD'] as const;

/** Methods that every route answers; any other gets 405 with this list in `Allow`. */
export const imageMethods = ['GET', 'HEAD', 'OPTIONS'] as const;

/**
 * Tiers of API Gateway usage plans. The plan's tier throttles bursts for all its callers together; the exact quota is
 * ours. `anonymous` also carries callers whose key was refused.
 */
export const tiers = ['anonymous', 'test', 'free', 'pro', 'business', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];

/** Adapters that a stock slot can be bound to. */
export const stockProviders = ['openverse', 'wikimedia', 'unsplash', 'pexels', 'pixabay', 'sandbox'] as const;
export type StockProviderName = (typeof stockProviders)[number];

/** Keys of the authorizer's context; API Gateway hands them to the handler as strings. */
export const contextKeys = {
  caller: 'caller',
  account: 'account',
  plan: 'plan',
  keyId: 'keyId',
  refusal: 'refusal',
} as const;

/** Headers that a browser script may read on every answer. */
export const exposedHeaders = [
  'Location',
  'X-Cache',
  'X-Image-Source',
  'X-Image-Id',
  'X-Image-Attribution',
  'X-Image-Fallback',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Response-Time',
  'Link',
] as const;
