/** Names the outputs of the stack, for the CLI and scripts that read them. */

export const outputs = {
  /** URL of an image, to try the service by. */
  tryIt: 'TryIt',
  /** Root of the service without a trailing slash. */
  apiUrl: 'ApiUrl',
  /** URL of the image CDN without a trailing slash. */
  imageUrl: 'ImageUrl',
  /** Id of the CloudFront distribution before the API, for invalidations; only with the `edge` setting. */
  edgeDistribution: 'EdgeDistributionId',
  /** Host that the DNS record of `domains.api` points to; only with one. */
  apiDomainTarget: 'ApiDomainTarget',
  /** Id of the CloudFront distribution before the images, for invalidations. */
  imageDistribution: 'ImageDistributionId',
  /** CloudFront's host, which the DNS record of `domains.images` points to. */
  imageHost: 'ImageHost',
  apiKeysTable: 'ApiKeysTableName',
  quotaCountersTable: 'QuotaCountersTableName',
  imagesTable: 'ImagesTableName',
  cacheTable: 'CacheTableName',
  generationIndexTable: 'GenerationIndexTableName',
  imageBucket: 'ImageBucketName',
  /** Id of the secret from which signers' secrets are derived; its value stays in Secrets Manager. */
  signerSecret: 'SignerSecretId',
  /** JSON of the limits that replace those of the default plans. */
  plans: 'Plans',
  /** Images that may be generated per UTC day for all accounts together, or `off`. */
  generationsPerDay: 'GenerationsPerDay',
  /** JSON of the functions' variables about stock providers, by their names. */
  stockProviders: 'StockProviders',
} as const;
