/** The whole template of `image-redirect-stack.ts`: what must never change of data, rights and access. */

import { tables } from '../../lambda/contract/tables';
import { generatorSettings } from '../../lambda/functions/generator/settings';
import * as functions from '../../lambda/functions/settings';
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

/** Actions of a function's role, each with the logical ids and paths that its resources name. */
function rightsOf(id: string, template = prod): Readonly<Record<string, string>> {
  const [policy] = Object.entries(resourcesOf(template, 'AWS::IAM::Policy')).filter(([name]) =>
    name.startsWith(`${id}Role`),
  );
  if (!policy) throw new Error(`${id} has no policy`);
  const { Statement } = policy[1].Properties['PolicyDocument'] as { Statement: readonly Statement[] };
  return Object.fromEntries(
    Statement.flatMap(({ Action, Resource }) => {
      const where = [
        ...JSON.stringify(Resource).matchAll(/"([A-Z]\w+)",\s*"Arn"|"Ref":\s*"(\w+)"|"(\/[\w/]+)\*"/g),
      ];
      const shown = [...new Set(where.map(([, arn, ref, path]) => arn ?? ref ?? path))]
        .filter((each) => each !== '/index/')
        .sort()
        .join(' ');
      return [Action].flat().map((action) => [action, shown]);
    }),
  );
}

test('durable tables are retained and recoverable to the second in prod, and no others', () => {
  for (const table of names) {
    const { isDurable } = tables[table];
    const { DeletionPolicy, UpdateReplacePolicy, Properties } = resourcesOf(prod)[idOf(table)] ?? {};
    const kept = isDurable ? ['RetainExceptOnCreate', 'Retain'] : ['Delete', 'Delete'];
    expect([table, DeletionPolicy, UpdateReplacePolicy]).toEqual([table, ...kept]);
    expect(JSON.stringify(Properties?.['Replicas'])).toContain(`"PointInTimeRecoveryEnabled":${isDurable}`);
    expect(resourcesOf(dev)[idOf(table)]?.DeletionPolicy).toBe('Delete');
  }
});

test('the bucket and the secrets are retained when the stack is deleted', () => {
  expect(resourcesOf(prod)['ImageBucket']?.DeletionPolicy).toBe('RetainExceptOnCreate');
  for (const { DeletionPolicy } of Object.values(resourcesOf(prod, 'AWS::SecretsManager::Secret')))
    expect(DeletionPolicy).toBe('RetainExceptOnCreate');
});

test('CloudFront alone reads the bucket, and only what is served', () => {
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

test('each function has the rights that its work needs, and no more', () => {
  const own = (id: string) =>
    Object.fromEntries(Object.entries(rightsOf(id)).filter(([action]) => !action.startsWith('logs:')));
  expect(own('AuthorizerFunction')).toEqual({ 'dynamodb:GetItem': 'ApiKeysTable' });
  const writes = (id: string) =>
    Object.entries(own(id)).filter(([action]) => /Put|Update|Delete|Invoke|Secret/.test(action));
  expect(writes('RendererFunction').map(([action]) => action)).toEqual(
    expect.not.arrayContaining([
      's3:DeleteObject*',
      'secretsmanager:PutSecretValue',
      'lambda:InvokeFunction',
    ]),
  );
  expect(own('RendererFunction')['s3:PutObject']).toBe('/private/ /public/ai/ /stock/ ImageBucket');
  expect(own('GeneratorFunction')['s3:PutObject']).toBe('/masters/ ImageBucket');
  expect(own('ApiFunction')['s3:PutObject']).toBeUndefined();
  expect(own('ApiFunction')['s3:GetObject*']).not.toContain('/masters/');
  expect(own('ApiFunction')['lambda:InvokeFunction']).toBe('GeneratorFunction RendererFunction');
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

test('private images ask for a signature of the key group, on every path that is not expressly open', () => {
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

test('the image distribution answers only 404 with a card, which caches keep for a minute, and lists no bucket', () => {
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

test('every method of the API passes the authorizer and a plan, and is answered by one function', () => {
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

test('logs expire when the stage says, and hold no query, path or address', () => {
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

test('prod has at most 130 resources, with a distribution before the API too, and at most ten alarms', () => {
  for (const template of [prod, edge])
    expect(Object.keys(resourcesOf(template)).length).toBeLessThanOrEqual(130);
  expect(Object.keys(resourcesOf(prod, 'AWS::CloudWatch::Alarm')).length).toBeLessThanOrEqual(10);
});
