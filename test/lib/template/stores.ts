/** The stores: the contract's tables, a bucket that only CloudFront can read, and protected secrets. */

import { Match } from 'aws-cdk-lib/assertions';
import { type TableDefinition, type TableName, tables } from '../../../lambda/contract/tables';
import { executionFolder, imageKeyOf, renditionFolder } from '../../../lambda/generation/generation-identity';
import { clientPackagePath } from '../../../lib/client-package';
import { examplePaths } from '../../../lib/example-images';
import { environmentOf, propertiesWhere, resourcesOf, synthesise } from '../synthesise';

const dev = synthesise('dev');
const prod = synthesise('prod');

const stateful: Readonly<Record<string, string>> = {
  AddressSecret: 'AWS::SecretsManager::Secret',
  ApiKeysTable: 'AWS::DynamoDB::GlobalTable',
  QuotaCountersTable: 'AWS::DynamoDB::GlobalTable',
  GenerationIndexTable: 'AWS::DynamoDB::GlobalTable',
  ImagesTable: 'AWS::DynamoDB::GlobalTable',
  ImageBucket: 'AWS::S3::Bucket',
  ProviderSecret: 'AWS::SecretsManager::Secret',
  ContentSecretV1: 'AWS::SecretsManager::Secret',
  SignerSecret: 'AWS::SecretsManager::Secret',
  SigningSecretV1: 'AWS::SecretsManager::Secret',
};

/** The stock memory has the logical id of the table that held the cached items too, so that a deployed stack keeps its picks. */
const logicalIdOf = (table: TableName) => `${table[0]?.toUpperCase()}${table.slice(1)}Table`;

test.each(Object.entries(tables) as [TableName, TableDefinition][])(
  'the table %s has the keys, indexes and expiry of the contract',
  (name, definition) => {
    const table = resourcesOf(dev, 'AWS::DynamoDB::GlobalTable')[logicalIdOf(name)]?.Properties ?? {};
    const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, TimeToLiveSpecification } = table;
    expect(KeySchema).toEqual([{ AttributeName: definition.partitionKey, KeyType: 'HASH' }]);
    expect(TimeToLiveSpecification).toEqual({ AttributeName: definition.ttl, Enabled: true });
    const keyAttributes = definition.indexes.flatMap(({ partitionKey, sortKey }) =>
      sortKey ? [partitionKey, sortKey] : [partitionKey],
    );
    for (const { name: AttributeName, type: AttributeType } of keyAttributes)
      expect(AttributeDefinitions).toContainEqual({ AttributeName, AttributeType });
    expect(GlobalSecondaryIndexes ?? []).toEqual(
      definition.indexes.map(({ name: IndexName, partitionKey, sortKey, keysOnly }) => ({
        IndexName,
        KeySchema: [
          { AttributeName: partitionKey.name, KeyType: 'HASH' },
          ...(sortKey ? [{ AttributeName: sortKey.name, KeyType: 'RANGE' }] : []),
        ],
        Projection: { ProjectionType: keysOnly ? 'KEYS_ONLY' : 'ALL' },
      })),
    );
  },
);

test('every table is billed per request, and the durable ones have point-in-time recovery', () => {
  for (const [name, { isDurable }] of Object.entries(tables) as [TableName, TableDefinition][]) {
    const Properties = resourcesOf(prod, 'AWS::DynamoDB::GlobalTable')[logicalIdOf(name)]?.Properties ?? {};
    expect(Properties['BillingMode']).toBe('PAY_PER_REQUEST');
    expect(Properties['Replicas']).toEqual([
      expect.objectContaining({
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: isDurable },
      }),
    ]);
  }
});

test('the cache, which may be lost, goes with its stack in every stage and is not protected', () => {
  for (const template of [dev, prod])
    expect(resourcesOf(template)['CacheTable']).toMatchObject({ DeletionPolicy: 'Delete' });
  expect(JSON.stringify(propertiesWhere(prod, 'Custom::TableProtection'))).not.toContain('"CacheTable"');
});

test('what holds state has a pinned logical id, so that no refactoring replaces it', () => {
  for (const template of [dev, prod])
    expect(
      Object.fromEntries(
        Object.entries(resourcesOf(template))
          .filter(([id, { Type }]) => id !== 'CacheTable' && Object.values(stateful).includes(Type))
          .map(([id, { Type }]) => [id, Type]),
      ),
    ).toEqual(stateful);
});

test('in prod stateful resources are retained, and the tables have deletion protection', () => {
  for (const id of Object.keys(stateful)) {
    expect(resourcesOf(prod)[id]).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
    expect(resourcesOf(dev)[id]).toMatchObject({ DeletionPolicy: 'Delete' });
  }
  const durable = Object.keys(stateful).filter((id) => id.endsWith('Table'));
  expect(propertiesWhere(prod, 'Custom::TableProtection')).toMatchObject({
    TableNames: expect.arrayContaining(durable.map((Ref) => ({ Ref }))),
    Protected: 'true',
  });
  expect(propertiesWhere(dev, 'Custom::TableProtection')).toMatchObject({ Protected: 'false' });
});

test('the protection of tables comes last, so that a failed first deployment can be rolled back', () => {
  const { DependsOn } = resourcesOf(prod)['TableProtection'] as unknown as { DependsOn: string[] };
  expect(DependsOn).toEqual(expect.arrayContaining(['ImageDistribution', 'Dashboard']));
  for (const { Properties } of Object.values(resourcesOf(prod, 'AWS::DynamoDB::GlobalTable')))
    expect(JSON.stringify(Properties)).not.toContain('DeletionProtectionEnabled');
});

test('a restored table serves in the place of the stack’s own, which stays in the stack as it was', () => {
  const restored = synthesise('prod', { restoredTables: { apiKeys: 'keys-at-noon' } });
  expect(environmentOf(restored, 'AuthorizerFunction')).toMatchObject({ API_KEYS_TABLE: 'keys-at-noon' });
  expect(restored.toJSON()['Outputs']['ApiKeysTableName']).toEqual({ Value: 'keys-at-noon' });
  expect(resourcesOf(restored)['ApiKeysTable']).toEqual(resourcesOf(prod)['ApiKeysTable']);

  const rightsOn = (template: typeof prod, role: string) =>
    Object.entries(resourcesOf(template, 'AWS::IAM::Policy'))
      .filter(([id]) => id.startsWith(role))
      .map(([, { Properties }]) => JSON.stringify(Properties['PolicyDocument']));
  for (const role of ['AuthorizerFunction', 'RedirectFunction', 'UsageFunction']) {
    const [before, after] = [prod, restored].map((template) => rightsOn(template, role).join());
    expect(before).toContain('"ApiKeysTable"');
    expect(after).toContain(':table/keys-at-noon');
    expect(after).not.toContain('"ApiKeysTable"');
  }

  const { TableNames } = propertiesWhere(restored, 'Custom::TableProtection');
  expect(TableNames).toEqual(expect.arrayContaining([{ Ref: 'ApiKeysTable' }, 'keys-at-noon']));
  expect(rightsOn(restored, 'ProtectedTablesTableProtector').join()).toContain(':table/keys-at-noon');
});

test('in dev the bucket is emptied with the stack, in prod nothing can empty it', () => {
  dev.resourceCountIs('Custom::EmptiedBucket', 1);
  prod.resourceCountIs('Custom::EmptiedBucket', 0);
});

test('the bucket is private, encrypted, keeps no halves of uploads, and refuses plain http and old TLS', () => {
  dev.hasResourceProperties('AWS::S3::Bucket', {
    BucketEncryption: Match.anyValue(),
    LifecycleConfiguration: {
      Rules: Match.arrayWith([
        { Id: 'HalfUploads', AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: 'Enabled' },
      ]),
    },
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
  });
  dev.hasResourceProperties('AWS::S3::BucketPolicy', {
    PolicyDocument: {
      Statement: Match.arrayWith([
        Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        Match.objectLike({ Effect: 'Deny', Condition: { NumericLessThan: { 's3:TlsVersion': 1.2 } } }),
      ]),
    },
  });
});

test('only this distribution may read the bucket from outside, and of it renditions alone', () => {
  const { PolicyDocument } = propertiesWhere(prod, 'AWS::S3::BucketPolicy');
  const { Statement } = PolicyDocument as { Statement: Record<string, unknown>[] };
  const allowed = Statement.filter(({ Effect }) => Effect === 'Allow');
  const renditions = ['public', 'private', 'stock'].map((folder) => ({
    'Fn::Join': ['', [{ 'Fn::GetAtt': ['ImageBucket', 'Arn'] }, `/${folder}/*`]],
  }));
  expect(Statement).toContainEqual({
    Sid: 'RenditionsAloneAreServed',
    Effect: 'Deny',
    Principal: { Service: 'cloudfront.amazonaws.com' },
    Action: 's3:GetObject',
    NotResource: renditions,
  });
  expect(allowed).toEqual([
    expect.objectContaining({
      Action: 's3:GetObject',
      Principal: { Service: 'cloudfront.amazonaws.com' },
      Condition: { StringEquals: { 'AWS:SourceArn': expect.anything() } },
    }),
  ]);
});

const distribution = propertiesWhere(dev, 'AWS::CloudFront::Distribution')['DistributionConfig'] as {
  DefaultCacheBehavior: Record<string, unknown>;
  CacheBehaviors: Record<string, unknown>[];
  CustomErrorResponses: { ErrorCode: number; ErrorCachingMinTTL: number }[];
};

test('CloudFront asks for a signature on every path that is not expressly open, however it is written', () => {
  expect(distribution.DefaultCacheBehavior['TrustedKeyGroups']).toEqual([expect.anything()]);
  expect(distribution.CacheBehaviors.map(({ PathPattern }) => PathPattern)).toEqual(['public/*', 'stock/*']);
  for (const behaviour of distribution.CacheBehaviors) expect(behaviour['TrustedKeyGroups']).toBeUndefined();
});

test('renditions expire, masters of AI images and the client package do not', () => {
  const { LifecycleConfiguration } = propertiesWhere(prod, 'AWS::S3::Bucket') as unknown as {
    LifecycleConfiguration: { Rules: { Prefix?: string; ExpirationInDays?: number; Status: string }[] };
  };
  const expiring = LifecycleConfiguration.Rules.filter(
    ({ ExpirationInDays }) => ExpirationInDays !== undefined,
  );
  expect(expiring.map(({ Prefix, ExpirationInDays, Status }) => [Prefix, ExpirationInDays, Status])).toEqual([
    ['public/ai/', 30, 'Enabled'],
    ['private/', 30, 'Enabled'],
    ['stock/', 30, 'Enabled'],
  ]);
  const execution = '01KAKEXECUTION0000000000000';
  for (const visibility of ['public', 'private']) {
    const key = imageKeyOf(`G#live#acct_1#${visibility}#${'0'.repeat(64)}`);
    const expires = (path: string) => expiring.some(({ Prefix = '' }) => path.startsWith(Prefix));
    expect(expires(`${executionFolder(key, execution)}master.png`)).toBe(false);
    expect(expires(`${renditionFolder(key, execution)}800x600.webp`)).toBe(true);
  }
  const { Paths } = propertiesWhere(prod, 'Custom::PublishedFiles') as { Paths: string[] };
  expect(Paths).toEqual([clientPackagePath(), ...examplePaths().values()]);
  for (const path of Paths) expect(expiring.some(({ Prefix = '' }) => path.startsWith(Prefix))).toBe(false);
});

test('viewers are sent to https', () => {
  for (const behaviour of [distribution.DefaultCacheBehavior, ...distribution.CacheBehaviors])
    expect(behaviour['ViewerProtocolPolicy']).toBe('redirect-to-https');
});

test('CloudFront caches no errors, so that a stored image is available at once', () => {
  const kept = distribution.CustomErrorResponses.filter(({ ErrorCachingMinTTL }) => ErrorCachingMinTTL !== 0);
  expect(kept).toEqual([]);
  expect(distribution.CustomErrorResponses.map(({ ErrorCode }) => ErrorCode)).toEqual(
    expect.arrayContaining([403, 404, 500, 502, 503, 504]),
  );
});

test('pages of any origin may show and read the images', () => {
  dev.hasResourceProperties('AWS::CloudFront::ResponseHeadersPolicy', {
    ResponseHeadersPolicyConfig: {
      CorsConfig: {
        AccessControlAllowOrigins: { Items: ['*'] },
        AccessControlAllowHeaders: { Items: ['*'] },
        AccessControlAllowMethods: { Items: ['GET', 'HEAD'] },
        AccessControlAllowCredentials: false,
        OriginOverride: true,
      },
      CustomHeadersConfig: {
        Items: [{ Header: 'Cross-Origin-Resource-Policy', Value: 'cross-origin', Override: true }],
      },
      SecurityHeadersConfig: { ContentTypeOptions: { Override: true } },
    },
  });
});

test('the public key of the signing pair comes from the deployment, never from the template', () => {
  const { PublicKeyConfig } = propertiesWhere(dev, 'AWS::CloudFront::PublicKey');
  expect(PublicKeyConfig).toMatchObject({
    EncodedKey: { 'Fn::GetAtt': ['SigningKeyPairV1', 'PublicKeyPem'] },
  });
});

test('no secret is in the template: each is generated, or resolved during the deployment', () => {
  for (const { Properties } of Object.values(resourcesOf(prod, 'AWS::SecretsManager::Secret'))) {
    expect(Properties['SecretString']).toBeUndefined();
    expect(Properties['GenerateSecretString']).toBeDefined();
  }
  const { ADDRESS_SECRET } = environmentOf(prod, 'RedirectFunction');
  expect(JSON.stringify(ADDRESS_SECRET)).toContain('{{resolve:secretsmanager:');
});

const keyless = { stock_a: 'wikimedia', stock_b: 'library', stock_c: 'sandbox' };
const server = { kind: 'openai-compatible', baseUrl: 'https://models.example', model: 'm', apiKeyName: 'm' };

test.each([
  [{ slotBindings: keyless }, []],
  [{ slotBindings: { ...keyless, stock_a: 'openverse' } }, ['RedirectFunction']],
  [{ slotBindings: { ...keyless, stock_a: 'unsplash' } }, ['RedirectFunction', 'RendererFunction']],
  [{ slotBindings: keyless, generator: server }, ['GeneratorFunction']],
])('with %j, the secret for provider keys is read by %j', (settings, readers) => {
  const template = synthesise('dev', settings);
  expect(Object.keys(resourcesOf(template)).includes('ProviderSecret')).toBe(readers.length > 0);
  const allowed = Object.values(resourcesOf(template, 'AWS::IAM::Policy'))
    .map((policy) => JSON.stringify(policy))
    .filter((policy) => policy.includes('"ProviderSecret"'));
  expect(allowed.map((policy) => /"Ref":"(\w+)Role"/.exec(policy)?.[1]).sort()).toEqual(readers);
  for (const reader of readers)
    expect(environmentOf(template, reader)).toMatchObject({ PROVIDER_SECRET_ID: { Ref: 'ProviderSecret' } });
});

test.each([
  [{ version: 1, trusted: [1] }, 'V1', ['V1']],
  [{ version: 1, trusted: [1, 2] }, 'V1', ['V1', 'V2']],
  [{ version: 2, trusted: [1, 2] }, 'V2', ['V1', 'V2']],
])('with the keys %j, version %s signs and those of %j are trusted', (versions, signs, trusted) => {
  const template = synthesise('dev', { signingKey: versions, contentKey: versions });
  expect(environmentOf(template, 'RedirectFunction')).toMatchObject({
    SIGNING_SECRET_ID: { Ref: `SigningSecret${signs}` },
    SIGNING_KEY_PAIR_ID: { Ref: `SigningPublicKey${signs}` },
  });
  expect(environmentOf(template, 'RendererFunction')['CONTENT_SECRET_ID']).toEqual({
    Ref: `ContentSecret${signs}`,
  });
  const { KeyGroupConfig } = propertiesWhere(template, 'AWS::CloudFront::KeyGroup');
  expect(KeyGroupConfig).toMatchObject({
    Items: trusted.map((each) => ({ Ref: `SigningPublicKey${each}` })),
  });
  const published = JSON.stringify(environmentOf(template, 'DocsFunction')['CONTENT_CERTIFICATES']);
  expect(published.match(/ContentKeyV\d/g)).toEqual(trusted.map((each) => `ContentKey${each}`));
});

test.each([
  ['secret', { Ref: 'ContentSecret' }],
  ['off', undefined],
])(
  'with the content credentials %s, AI images are signed by %j, and no certificate is published',
  (contentCredentials, secret) => {
    const template = synthesise('dev', { contentCredentials });
    expect(environmentOf(template, 'RendererFunction')['CONTENT_SECRET_ID']).toEqual(secret);
    expect(environmentOf(template, 'DocsFunction')).not.toHaveProperty('CONTENT_CERTIFICATES');
  },
);
