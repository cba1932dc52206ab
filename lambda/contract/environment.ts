/** The environment variables of the functions, and which function reads which: the stack sets exactly these. */

import type { FunctionName } from './functions';
import type { TableName } from './tables';

/** Environment variable that holds the physical name of a table. */
export const tableVariables = {
  apiKeys: 'API_KEYS_TABLE',
  quotaCounters: 'QUOTA_COUNTERS_TABLE',
  generationIndex: 'GENERATION_INDEX_TABLE',
  stockMemory: 'STOCK_MEMORY_TABLE',
  cache: 'CACHE_TABLE',
} as const satisfies Record<TableName, string>;

/** Environment variables beside the names of tables. */
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
  /** Secrets Manager id of the secret from which the secrets of all signers are derived. */
  signerSecretId: 'SIGNER_SECRET_ID',
  /** Secrets Manager id of a JSON object: provider → key. Absent when every bound provider is keyless. */
  providerSecretId: 'PROVIDER_SECRET_ID',
  /** JSON: provider → base URL that replaces its own (local fake providers). */
  providerEndpoints: 'PROVIDER_ENDPOINTS',
  /** JSON: provider → requests that it accepts `perMinute`, `perHour` and `perDay`, instead of what it documents. */
  providerQuotas: 'PROVIDER_QUOTAS',
  /** The operator's contact for the User-Agent that providers ask for: an e-mail address or a URL. */
  contact: 'CONTACT',
  /** CloudWatch namespace of the function's metrics, one for each stack. */
  metricNamespace: 'METRIC_NAMESPACE',
  /** JSON that replaces some of the default plans' limits. */
  plans: 'PLANS',
  /** Seconds that a browser may keep a redirect. */
  redirectMaxAge: 'REDIRECT_MAX_AGE_S',
  /** JSON: which generator draws AI images, and its settings. */
  generator: 'GENERATOR',
  /** Images that may be generated per UTC day, for all accounts together; absent for no ceiling. */
  generationsPerDay: 'GENERATIONS_PER_DAY',
  /** Requests that may wait for AI images at once; absent for a bound that follows from the account's executions. */
  waitingRequestsMax: 'WAITING_REQUESTS_MAX',
  /** `on` when test keys may use the real generator too. */
  testKeysGenerate: 'TEST_KEYS_GENERATE',
  /** Name of the EventBridge bus for announcements of accounts near their limit; absent for the log alone. */
  eventBus: 'EVENT_BUS',
  /** How often an image is charged to a signer or site key: once a UTC day, per request, or once a UTC month. */
  signedCharge: 'SIGNED_CHARGE',
  /** Secrets, separated by spaces, of which the CloudFront distribution before the API sends one; absent without one. */
  originLock: 'ORIGIN_LOCK',
  /** `on` or `off`: whether a photograph of the operator's own that fits exactly comes before all providers. */
  libraryFirst: 'LIBRARY_FIRST',
  /** Root of the service as callers see it behind that distribution, without a trailing slash. */
  rootUrl: 'ROOT_URL',
} as const;

type VariableNames = typeof tableVariables & typeof variables;

/** `always`: the stack sets it in every stage. `sometimes`: only where the stage's settings ask for it. */
export type Presence = 'always' | 'sometimes';

/** Which variables each function reads. Literals only, so that no function's bundle holds the table. */
export const functionVariables = {
  authorizer: {
    apiKeys: 'always',
    tierKeys: 'always',
    metricNamespace: 'always',
  },
  redirect: {
    quotaCounters: 'always',
    stockMemory: 'always',
    cache: 'always',
    generationIndex: 'always',
    ipHashSecret: 'always',
    slotBindings: 'always',
    imageBaseUrl: 'always',
    imageStore: 'always',
    rendererFunction: 'always',
    generatorFunction: 'always',
    signingSecretId: 'always',
    signingKeyPairId: 'always',
    signerSecretId: 'always',
    providerSecretId: 'sometimes',
    providerEndpoints: 'always',
    providerQuotas: 'always',
    contact: 'sometimes',
    eventBus: 'always',
    plans: 'always',
    generationsPerDay: 'sometimes',
    waitingRequestsMax: 'sometimes',
    testKeysGenerate: 'sometimes',
    redirectMaxAge: 'always',
    signedCharge: 'always',
    libraryFirst: 'always',
    metricNamespace: 'always',
    originLock: 'sometimes',
    rootUrl: 'sometimes',
  },
  usage: {
    apiKeys: 'always',
    quotaCounters: 'always',
    plans: 'always',
    metricNamespace: 'always',
    originLock: 'sometimes',
    rootUrl: 'sometimes',
  },
  docs: { plans: 'always', originLock: 'sometimes', rootUrl: 'sometimes' },
  renderer: {
    cache: 'always',
    imageStore: 'always',
    contact: 'always',
    providerSecretId: 'sometimes',
    providerEndpoints: 'always',
    metricNamespace: 'always',
  },
  generator: {
    quotaCounters: 'always',
    generationIndex: 'always',
    imageStore: 'always',
    generator: 'always',
    testKeysGenerate: 'sometimes',
    providerSecretId: 'sometimes',
    metricNamespace: 'always',
  },
  sweeper: {
    quotaCounters: 'always',
    generationIndex: 'always',
    imageStore: 'always',
    metricNamespace: 'always',
  },
} as const satisfies Readonly<Record<FunctionName, Readonly<Partial<Record<keyof VariableNames, Presence>>>>>;

type Functions = typeof functionVariables;

/** The variables that one function reads, by their names in the environment, each with its presence. */
export type VariablesOf<F extends FunctionName> = {
  readonly [K in keyof Functions[F] as K extends keyof VariableNames
    ? VariableNames[K]
    : never]: Functions[F][K];
};

/** How often one image is charged that a signer or site key shows: per UTC day, which is the default, per request, or per UTC month. */
export const signedCharges = ['day', 'request', 'month'] as const;

/** Values of a setting that switches something. */
export const switches = ['on', 'off'] as const;

/** Seconds that a browser may keep a redirect: at most, and where the operator sets no other. */
export const redirectMaxAgeSMax = 86_400;
export const defaultRedirectMaxAgeS = 3_600;

/** Most that an operator may set as the images that may be generated per UTC day. */
export const generationsPerDayMax = 1_000_000;
