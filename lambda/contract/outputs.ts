/** The outputs of the stack, which operators' tools and scripts read. */

/** Names of the stack's outputs: where operators and scripts read what a deployment has made. */
export const outputs = {
  /** URL of an image, to try the service by. */
  tryIt: 'TryIt',
  /** Root of the service without a trailing slash. */
  apiUrl: 'ApiUrl',
  /** URL of the image CDN without a trailing slash. */
  imageUrl: 'ImageUrl',
  /** Id of the CloudFront distribution before the API, for invalidations; only with the `edge` setting. */
  edgeDistribution: 'EdgeDistributionId',
  /** URL of the API behind it without a trailing slash, which answers no other caller; only with the `edge` setting. */
  originUrl: 'OriginUrl',
  /** Host that the DNS record of `apiDomain` points to; only with one. */
  apiDomainTarget: 'ApiDomainTarget',
  /** Id of the CloudFront distribution before the images, for invalidations. */
  imageDistribution: 'ImageDistributionId',
  /** CloudFront's host, which the DNS record of `imageDomain` points to. */
  imageHost: 'ImageHost',
  apiKeysTable: 'ApiKeysTableName',
  quotaCountersTable: 'QuotaCountersTableName',
  stockMemoryTable: 'StockMemoryTableName',
  cacheTable: 'CacheTableName',
  generationIndexTable: 'GenerationIndexTableName',
  /** Bucket of the images that the service stores. */
  imageBucket: 'ImageBucketName',
  /** Id of the secret from which the secrets of all signers are derived; the value stays in Secrets Manager. */
  signerSecret: 'SignerSecretId',
  /** JSON of the settings that differ from the stage's defaults; what is longer than an output goes on in `Settings2` and so on. */
  settings: 'Settings',
  /** Version of the service that was deployed, such as `1.2.3`. */
  version: 'Version',
  /** JSON that replaces some of the default plans' limits, as the functions get it. */
  plans: 'Plans',
  /** Images that may be generated per UTC day for all accounts together, or `off`. */
  generationsPerDay: 'GenerationsPerDay',
  /** JSON of the functions' variables about stock providers, by the names in `variables`. */
  stockProviders: 'StockProviders',
} as const;

/** Longest value of an output, in characters. */
const outputLengthMax = 1_024;

/** The outputs that hold a text, by their names. */
export function splitOutput(name: string, text: string): Readonly<Record<string, string>> {
  const parts = text.match(new RegExp(`[^]{1,${outputLengthMax}}`, 'g')) ?? [];
  return Object.fromEntries(parts.map((part, i) => [i === 0 ? name : `${name}${i + 1}`, part]));
}

/** The text that outputs hold; `undefined` where there is none by this name. */
export function joinOutput(name: string, values: Readonly<Record<string, string>>): string | undefined {
  let text = values[name];
  for (let i = 2; text !== undefined && values[`${name}${i}`] !== undefined; i++)
    text += values[`${name}${i}`];
  return text;
}
