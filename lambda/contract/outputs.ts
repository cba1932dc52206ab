/** The outputs of the stack, by which the CLI finds it. */

export const outputs = {
  tryIt: 'TryIt',
  apiUrl: 'ApiUrl',
  imageUrl: 'ImageUrl',
  /** Id of the CloudFront distribution before the API, for invalidations; only with the `edge` setting. */
  edgeDistribution: 'EdgeDistributionId',
  /** Host that the DNS record of `domains.api` points to; only with one. */
  apiDomainTarget: 'ApiDomainTarget',
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
  plans: 'Plans',
  /** Images that may be generated per UTC day for all accounts together, or `off`. */
  generationsPerDay: 'GenerationsPerDay',
  stockProviders: 'StockProviders',
} as const;
