/** The outputs of the stack. The CLI reads them to find its resources. */

export const outputs = {
  tryIt: 'TryIt',
  apiUrl: 'ApiUrl',
  imageUrl: 'ImageUrl',
  /** The id of the CloudFront distribution before the API. Only with the setting `edge`. */
  edgeDistribution: 'EdgeDistributionId',
  /** The target of the DNS record of `domains.api`. Only with that setting. */
  apiDomainTarget: 'ApiDomainTarget',
  imageDistribution: 'ImageDistributionId',
  /** The host of CloudFront. It is the target of the DNS record of `domains.images`. */
  imageHost: 'ImageHost',
  apiKeysTable: 'ApiKeysTableName',
  quotaCountersTable: 'QuotaCountersTableName',
  imagesTable: 'ImagesTableName',
  cacheTable: 'CacheTableName',
  generationIndexTable: 'GenerationIndexTableName',
  imageBucket: 'ImageBucketName',
  /** The id of the master secret of signers. Its value stays in Secrets Manager. */
  signerSecret: 'SignerSecretId',
  plans: 'Plans',
  /** Images that may be made per UTC day for all accounts together, or `off`. */
  generationsPerDay: 'GenerationsPerDay',
  stockProviders: 'StockProviders',
} as const;
