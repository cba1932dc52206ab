/** Names of environment variables that more than the function itself has to know; what each function reads is in its `settings.ts`. */

import { labels } from './request-bounds';
import type { TableName } from './tables';

/** Environment variable that holds the physical name of a table. */
export const tableVariables = {
  apiKeys: 'API_KEYS_TABLE',
  quotaCounters: 'QUOTA_COUNTERS_TABLE',
  generationIndex: 'GENERATION_INDEX_TABLE',
  images: 'IMAGES_TABLE',
  cache: 'CACHE_TABLE',
} as const satisfies Record<TableName, string>;

/** Environment variables beside the names of tables. */
export const variables = {
  /** JSON: tier → value of the API Gateway key of its usage plan. */
  tierKeys: 'TIER_KEYS',
  /** JSON: stock slot → provider adapter. */
  slotBindings: 'SLOT_BINDINGS',
  /** Secrets Manager id of the key of the hash under which client IP addresses are counted. */
  addressSecretId: 'ADDRESS_SECRET_ID',
  /** URL of the CDN in front of the image library, without a trailing slash. */
  imageBaseUrl: 'IMAGE_BASE_URL',
  /** An API key that the documentation page offers; set by the local service alone. */
  demoKey: 'DEMO_KEY',
  /** `s3://bucket`, or `file:///folder` in the local service. */
  imageStore: 'IMAGE_STORE',
  /** Names of the functions that are invoked by others. */
  rendererFunction: 'RENDERER_FUNCTION',
  generatorFunction: 'GENERATOR_FUNCTION',
  /** Secrets Manager id of the P-256 private key (PEM) that signs URLs of private images. */
  signingSecretId: 'SIGNING_SECRET_ID',
  /** CloudFront's id of the matching public key. */
  signingKeyPairId: 'SIGNING_KEY_PAIR_ID',
  /** Secrets Manager id of the private key and the certificates (PEM) that sign AI images; absent where none are signed. */
  contentSecretId: 'CONTENT_SECRET_ID',
  /** Certificates (PEM) by which they are checked; absent where the operator has their own. */
  contentCertificates: 'CONTENT_CERTIFICATES',
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
  /** JSON: name, logo, contact and links of the operator, for the public page. */
  site: 'SITE',
  /** JSON that replaces some of the default plans' limits, and says what the public page says of them. */
  plans: 'PLANS',
  /** JSON: the `limit` of requests per UTC clock hour without a key, and a `hint` how it is changed; set by the local service alone. */
  anonymousLimit: 'ANONYMOUS_LIMIT',
  /** Whether images are drawn where no stock provider is reached; of the local service alone. */
  drawWithoutProviders: 'DRAW_WITHOUT_PROVIDERS',
  /** JSON: which generator draws AI images, and its settings. */
  generator: 'GENERATOR',
  /** Images that may be generated per UTC day, for all accounts together; absent for no ceiling. */
  generationsPerDay: 'GENERATIONS_PER_DAY',
  /** SHA-256 of what the CloudFront distribution before the API proves itself by, in hexadecimal digits; absent without one. */
  edgeHash: 'EDGE_SHA256',
  /** One of `imageDeliveries`. */
  imageDelivery: 'IMAGE_DELIVERY',
  /** One of `aiLabels`. */
  aiLabel: 'AI_LABEL',
  /** Root of the service as callers see it behind that distribution, without a trailing slash. */
  rootUrl: 'ROOT_URL',
} as const;

/** Whether redirects may lead to a provider that crops images itself, or to the operator's own host alone. */
export const imageDeliveries = ['provider', 'own'] as const;
/** `provider`: a redirect may lead to a provider's host. `own`: never. */
export type ImageDelivery = (typeof imageDeliveries)[number];

/** The mark that every AI image carries whatever a request asks for; none by default. */
export const aiLabels = ['off', ...labels] as const;
/** Where the mark stands on every AI image; `off` for images without one. */
export type AiLabel = (typeof aiLabels)[number];

/** Values of a setting that switches something. */
export const switches = ['on', 'off'] as const;

/** Seconds that a browser may keep a redirect. */
export const redirectMaxAgeS = 3_600;

/** Most that an operator may set as the images that may be generated per UTC day. */
export const generationsPerDayMax = 1_000_000;
