/** The whole template of `image-redirect-stack.ts`: what must never change of data, rights and access. */

import { failureCodes } from '../../lambda/contract/metrics';
import { tables } from '../../lambda/contract/tables';
import { generatorSettings } from '../../lambda/functions/generator/settings';
import { problems } from '../../lambda/problems/problem';
import * as functions from '../../lambda/services/settings';
import { environmentOf, propertiesWhere, resourcesOf, synthesise } from './synthesise';

const prod = synthesise('prod');
const dev = synthesise('dev');
const edge = synthesise('prod', { edge: true });
const names = Object.keys(tables) as (keyof typeof tables)[];
const idOf = (table: string) => `${table[0]?.toUpperCase()}${table.slice(1)}Table`;

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource?: unknown;
  readonly NotResource?: unknown;
}

/** A resource of a statement: ids of the template and texts, joined as they stand. */
function resourceText(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::GetAtt': arn, 'Fn::Join': joined } = value as Readonly<Record<string, unknown>>;
  if (joined) return (joined as [string, readonly unknown[]])[1].map(resourceText).join('');
  return arn ? (arn as [id: string])[0] : String(Ref);
}

/** The statements of a function's role but those of its log group, each as its actions and its resources. */
function rightsOf(functionId: string): readonly (readonly [actions: string, resources: string])[] {
  const policy = propertiesWhere(
    prod,
    'AWS::IAM::Policy',
    ({ PolicyName }) => PolicyName === `${functionId}RoleDefaultPolicy`,
  );
  const { Statement } = policy['PolicyDocument'] as { Statement: readonly Statement[] };
  const rights = Statement.map(({ Action, Resource }) => {
    const resources = [Resource].flat().map(resourceText);
    return [[Action].flat().join(' '), resources.join(' ')] as const;
  });
  return rights.filter(([actions]) => !actions.startsWith('logs:'));
}

test('in prod, only durable tables are retained and recoverable to the second', () => {
  for (const table of names) {
    const { isDurable } = tables[table];
    const { DeletionPolicy, UpdateReplacePolicy, Properties } = resourcesOf(prod)[idOf(table)] ?? {};
    const policies = isDurable ? ['RetainExceptOnCreate', 'Retain'] : ['Delete', 'Delete'];
    expect([table, DeletionPolicy, UpdateReplacePolicy]).toEqual([table, ...policies]);
    expect(JSON.stringify(Properties?.['Replicas'])).toContain(`"PointInTimeRecoveryEnabled":${isDurable}`);
    expect(resourcesOf(dev)[idOf(table)]?.DeletionPolicy).toBe('Delete');
  }
});

test('the bucket and the secrets are retained when the stack is deleted', () => {
  expect(resourcesOf(prod)['ImageBucket']?.DeletionPolicy).toBe('RetainExceptOnCreate');
  for (const { DeletionPolicy } of Object.values(resourcesOf(prod, 'AWS::SecretsManager::Secret')))
    expect(DeletionPolicy).toBe('RetainExceptOnCreate');
});

test('only CloudFront reads the served files of the bucket', () => {
  expect(propertiesWhere(prod, 'AWS::S3::Bucket')['PublicAccessBlockConfiguration']).toEqual({
    BlockPublicAcls: true,
    BlockPublicPolicy: true,
    IgnorePublicAcls: true,
    RestrictPublicBuckets: true,
  });
  const { Statement } = propertiesWhere(prod, 'AWS::S3::BucketPolicy')['PolicyDocument'] as {
    Statement: readonly Statement[];
  };
  const denied = Statement.find(({ Effect, NotResource }) => Effect === 'Deny' && NotResource);
  const served = [...JSON.stringify(denied?.NotResource).matchAll(/"(\/[a-z]+\/)\*"/g)].map(
    ([, path]) => path,
  );
  expect(served).toEqual(['/public/', '/private/', '/stock/']);
});

test('tables, bucket and functions have the logical ids that documents and tools name', () => {
  expect(Object.keys(resourcesOf(prod))).toEqual(
    expect.arrayContaining([
      ...['ApiKeysTable', 'QuotaCountersTable', 'GenerationIndexTable', 'ImagesTable', 'CacheTable'],
      ...['AuthorizerFunction', 'ApiFunction', 'RendererFunction', 'GeneratorFunction', 'ImageBucket'],
    ]),
  );
});

const readSecret = 'secretsmanager:DescribeSecret secretsmanager:GetSecretValue';
const writeSecret =
  'secretsmanager:PutSecretValue secretsmanager:UpdateSecret secretsmanager:UpdateSecretVersionStage';
const readFiles = 's3:GetBucket* s3:GetObject* s3:List*';
const putFiles =
  's3:PutObject s3:PutObjectLegalHold s3:PutObjectRetention s3:PutObjectTagging s3:PutObjectVersionTagging';

test.each<[functionId: string, rights: readonly (readonly [actions: string, resources: string])[]]>([
  ['AuthorizerFunction', [['dynamodb:GetItem', 'ApiKeysTable ApiKeysTable/index/*']]],
  [
    'ApiFunction',
    [
      [readSecret, 'AddressSecret ProviderSecret SignerSecret SigningSecretV1'],
      [
        'dynamodb:GetItem dynamodb:PutItem dynamodb:Query dynamodb:UpdateItem',
        'ApiKeysTable ApiKeysTable/index/*',
      ],
      ['dynamodb:BatchGetItem dynamodb:GetItem dynamodb:UpdateItem', 'QuotaCountersTable'],
      [
        'dynamodb:GetItem dynamodb:Query dynamodb:UpdateItem',
        'GenerationIndexTable GenerationIndexTable/index/*',
      ],
      ['dynamodb:GetItem dynamodb:PutItem dynamodb:UpdateItem', 'CacheTable ImagesTable'],
      [readFiles, 'ImageBucket ImageBucket/library/index/*'],
      ['lambda:InvokeFunction', 'GeneratorFunction RendererFunction GeneratorFunction:* RendererFunction:*'],
      ['lambda:GetAccountSettings', '*'],
      ['events:PutEvents', 'arn:AWS::Partition:events:AWS::Region:AWS::AccountId:event-bus/default'],
    ],
  ],
  [
    'RendererFunction',
    [
      [readSecret, 'ContentSecretV1'],
      [
        readFiles,
        'ImageBucket ImageBucket/library/* ImageBucket/masters/* ImageBucket/private/* ImageBucket/public/ai/* ImageBucket/stock/*',
      ],
      [`s3:Abort* ${putFiles}`, 'ImageBucket/private/* ImageBucket/public/ai/* ImageBucket/stock/*'],
    ],
  ],
  [
    'GeneratorFunction',
    [
      [
        'dynamodb:GetItem dynamodb:UpdateItem',
        'GenerationIndexTable QuotaCountersTable GenerationIndexTable/index/*',
      ],
      [readFiles, 'ImageBucket ImageBucket/masters/*'],
      [`s3:Abort* s3:DeleteObject* ${putFiles}`, 'ImageBucket/masters/*'],
      [
        'bedrock:InvokeModel',
        'arn:AWS::Partition:bedrock:*::foundation-model/stability.stable-image-core-v1:1 ' +
          'arn:AWS::Partition:bedrock:us-west-2:AWS::AccountId:inference-profile/stability.stable-image-core-v1:1',
      ],
      // Bedrock itself asks for these, on the first use of a model.
      ['aws-marketplace:Subscribe aws-marketplace:ViewSubscriptions', '*'],
    ],
  ],
  [
    'KeyMakerFunction',
    [
      [`${readSecret} ${writeSecret}`, 'ContentSecretV1 SigningSecretV1'],
      ['iam:PassRole', 'KeyMakerGatewayLogRole'],
      ['apigateway:GET apigateway:PATCH', 'arn:AWS::Partition:apigateway:AWS::Region::/account'],
    ],
  ],
])('%s has exactly the rights that its work needs', (functionId, rights) => {
  expect(rightsOf(functionId)).toEqual(rights);
});

test('each function has every variable that it needs', () => {
  for (const [id, settings] of Object.entries({
    Authorizer: functions.authorizerSettings,
    Api: functions.apiSettings,
    Renderer: functions.rendererSettings,
    Generator: generatorSettings,
  })) {
    const names = Object.entries(settings).flatMap(([name, read]) => {
      try {
        read('');
        return [];
      } catch {
        return [name];
      }
    });
    for (const template of [dev, edge])
      expect(Object.keys(environmentOf(template, `${id}Function`))).toEqual(expect.arrayContaining(names));
  }
});

test('no secret stands in an environment', () => {
  for (const template of [prod, edge])
    for (const id of ['AuthorizerFunction', 'ApiFunction', 'RendererFunction', 'GeneratorFunction'])
      expect(JSON.stringify(environmentOf(template, id))).not.toContain('resolve:secretsmanager');
});

test('every path of the image host that is not expressly open asks for a signature', () => {
  const { DefaultCacheBehavior, CacheBehaviors = [] } = propertiesWhere(
    prod,
    'AWS::CloudFront::Distribution',
  )['DistributionConfig'] as {
    DefaultCacheBehavior: { TrustedKeyGroups?: unknown };
    CacheBehaviors?: readonly { PathPattern: string; TrustedKeyGroups?: unknown }[];
  };
  expect(DefaultCacheBehavior.TrustedKeyGroups).toHaveLength(1);
  expect(CacheBehaviors.map(({ PathPattern, TrustedKeyGroups }) => [PathPattern, TrustedKeyGroups])).toEqual([
    ['public/*', undefined],
    ['stock/*', undefined],
  ]);
});

test('the image distribution shows a card for a missing file, for a minute', () => {
  const { CustomErrorResponses, DefaultRootObject } = propertiesWhere(prod, 'AWS::CloudFront::Distribution')[
    'DistributionConfig'
  ] as { CustomErrorResponses: unknown; DefaultRootObject: string };
  expect(CustomErrorResponses).toEqual([
    {
      ErrorCode: 404,
      ResponseCode: 404,
      ErrorCachingMinTTL: 60,
      ResponsePagePath: '/public/gone.svg',
    },
  ]);
  expect(DefaultRootObject).toBe('index.html');
});

test('Lambda does not repeat an event for the generator, so that no image is made twice', () => {
  expect(propertiesWhere(prod, 'AWS::Lambda::EventInvokeConfig')).toMatchObject({
    MaximumRetryAttempts: 0,
    FunctionName: { Ref: 'GeneratorFunction' },
  });
});

test('one function answers each method, behind authorizer and plan where a key is asked for', () => {
  const methods = Object.values(resourcesOf(prod, 'AWS::ApiGateway::Method')).map(({ Properties }) => ({
    method: Properties['HttpMethod'],
    keyed: Properties['ApiKeyRequired'] === true && Properties['AuthorizationType'] === 'CUSTOM',
    kind: (Properties['Integration'] as { Type: string }).Type,
  }));
  expect(new Set(methods.map(({ kind }) => kind))).toEqual(new Set(['AWS_PROXY']));
  expect(methods.filter(({ keyed }) => keyed).map(({ method }) => method)).toEqual(['ANY', 'ANY', 'ANY']);
  // Pages and what does not exist, each with a throttle of its own for what browsers send.
  expect(
    methods
      .filter(({ keyed }) => !keyed)
      .map(({ method }) => method)
      .sort(),
  ).toEqual(['ANY', 'ANY', 'GET', 'GET', 'HEAD', 'HEAD']);
  const settings = JSON.stringify(propertiesWhere(prod, 'AWS::ApiGateway::Stage')['MethodSettings']);
  expect(settings.match(/"ThrottlingRateLimit":50/g)).toHaveLength(4);
});

test('logs expire when the stage says, without query, path or address', () => {
  for (const [template, days] of [
    [prod, 90],
    [dev, 7],
  ] as const)
    for (const { Properties } of Object.values(resourcesOf(template, 'AWS::Logs::LogGroup')))
      expect(Properties['RetentionInDays']).toBe(days);
  const stage = propertiesWhere(prod, 'AWS::ApiGateway::Stage');
  const { Format } = stage['AccessLogSetting'] as { Format: string };
  expect(Format).not.toMatch(/querystring|context\.path\b|sourceIp/i);
});

test('FailedAnswers counts each 5xx but those of AI images that are in the making or paused', () => {
  const designed = ['generation_in_progress', 'generation_paused'];
  const serverErrors = Object.entries(problems).filter(([, { status }]) => status >= 500);
  const failures = serverErrors.map(([code]) => code).filter((code) => !designed.includes(code));
  expect(failureCodes.toSorted()).toEqual(failures.sort());
  const alarm = JSON.stringify(resourcesOf(prod)['FailedAnswersAlarm']);
  const counted = [...alarm.matchAll(/"Name":"code","Value":"(\w+)"/g)];
  expect(counted.map(([, code]) => code)).toEqual(failureCodes);
});

test('a deployment removes the old client package from the cache of the distribution', () => {
  const deployments = Object.values(resourcesOf(prod, 'Custom::CDKBucketDeployment'));
  const paths = deployments.flatMap(({ Properties }) => Properties['DistributionPaths']);
  expect(paths).toContain('/public/client.tgz');
});

test('prod has at most 130 resources, even with edge', () => {
  for (const template of [prod, edge])
    expect(Object.keys(resourcesOf(template)).length).toBeLessThanOrEqual(130);
});

test('prod has at most ten alarms', () => {
  expect(Object.keys(resourcesOf(prod, 'AWS::CloudWatch::Alarm')).length).toBeLessThanOrEqual(10);
});
