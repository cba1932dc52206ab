/** Tests what must never change in the template: data, rights and access. */

import { failureCodes } from '../../lambda/contract/metrics';
import { tables } from '../../lambda/contract/tables';
import { generatorSettings } from '../../lambda/functions/generator/settings';
import { problems } from '../../lambda/problems/problem';
import * as functions from '../../lambda/services/settings';
import { findProperties, getEnvironment, listResources, synthesise } from './synthesise';

const prod = synthesise('prod');
const dev = synthesise('dev');
const edge = synthesise('prod', { edge: true });
const names = Object.keys(tables) as (keyof typeof tables)[];
const makeTableId = (table: string) => `${table[0]?.toUpperCase()}${table.slice(1)}Table`;

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource?: unknown;
  readonly NotResource?: unknown;
}

/** The resources of the template that a function may use or write, and what it may do anywhere. */
function listRights(functionId: string) {
  const { PolicyDocument } = listResources(prod)[`${functionId}RoleDefaultPolicy`]?.Properties ?? {};
  const { Statement } = PolicyDocument as { Statement: readonly Statement[] };
  const rights = { uses: new Set<string>(), writes: new Set<string>(), anywhere: new Set<string>() };
  for (const { Action, Resource } of Statement) {
    if (Resource === '*') rights.anywhere.add(String(Action));
    const kind = /Put|Delete|Update/.test(String(Action)) ? 'writes' : 'uses';
    const named = /"(?:Ref|Fn::GetAtt)":\[?"(\w+)"(?:,"Arn"\]\},"(\/(?!index)[^"]+))?/g;
    for (const [, id, path = ''] of JSON.stringify(Resource).matchAll(named))
      if (id !== `${functionId}Logs` && !id?.startsWith('AWS')) rights[kind].add(id + path);
  }
  return [rights.uses, rights.writes, rights.anywhere].map((names) => [...names].sort().join(' '));
}

test('prod retains only the durable tables', () => {
  for (const table of names) {
    const { isDurable } = tables[table];
    const { DeletionPolicy, UpdateReplacePolicy, Properties } = listResources(prod)[makeTableId(table)] ?? {};
    const policies = isDurable ? ['RetainExceptOnCreate', 'Retain'] : ['Delete', 'Delete'];
    expect([table, DeletionPolicy, UpdateReplacePolicy]).toEqual([table, ...policies]);
    expect(JSON.stringify(Properties?.['Replicas'])).toContain(`"PointInTimeRecoveryEnabled":${isDurable}`);
    expect(listResources(dev)[makeTableId(table)]?.DeletionPolicy).toBe('Delete');
  }
});

test('prod retains the bucket and the secrets', () => {
  expect(listResources(prod)['ImageBucket']?.DeletionPolicy).toBe('RetainExceptOnCreate');
  for (const { DeletionPolicy } of Object.values(listResources(prod, 'AWS::SecretsManager::Secret')))
    expect(DeletionPolicy).toBe('RetainExceptOnCreate');
});

test('only CloudFront reads the bucket', () => {
  expect(findProperties(prod, 'AWS::S3::Bucket')['PublicAccessBlockConfiguration']).toEqual({
    BlockPublicAcls: true,
    BlockPublicPolicy: true,
    IgnorePublicAcls: true,
    RestrictPublicBuckets: true,
  });
  const { Statement } = findProperties(prod, 'AWS::S3::BucketPolicy')['PolicyDocument'] as {
    Statement: readonly Statement[];
  };
  const denied = Statement.find(({ Effect, NotResource }) => Effect === 'Deny' && NotResource);
  const served = [...JSON.stringify(denied?.NotResource).matchAll(/"(\/[a-z]+\/)\*"/g)].map(
    ([, path]) => path,
  );
  expect(served).toEqual(['/public/', '/private/', '/stock/']);
});

test.each([
  { id: 'AuthorizerFunction', uses: 'ApiKeysTable', writes: '', anywhere: '' },
  {
    id: 'ApiFunction',
    uses: 'AddressSecret GeneratorFunction ImageBucket ImageBucket/library/index/* ProviderSecret RendererFunction SignerSecret SigningSecretV1',
    writes: 'ApiKeysTable CacheTable GenerationIndexTable ImagesTable QuotaCountersTable',
    anywhere: 'lambda:GetAccountSettings',
  },
  {
    id: 'RendererFunction',
    uses: 'ContentSecretV1 ImageBucket ImageBucket/library/* ImageBucket/masters/* ImageBucket/private/* ImageBucket/public/ai/* ImageBucket/stock/*',
    writes: 'ImageBucket/private/* ImageBucket/public/ai/* ImageBucket/stock/*',
    anywhere: '',
  },
  {
    id: 'GeneratorFunction',
    uses: 'ImageBucket ImageBucket/masters/*',
    writes: 'GenerationIndexTable ImageBucket/masters/* QuotaCountersTable',
    // Bedrock itself asks for these, on the first use of a model.
    anywhere: 'aws-marketplace:Subscribe,aws-marketplace:ViewSubscriptions',
  },
  {
    id: 'KeyMakerFunction',
    uses: 'KeyMakerGatewayLogRole',
    writes: 'ContentSecretV1 SigningSecretV1',
    anywhere: '',
  },
])('$id has exactly the rights that its work needs', ({ id, uses, writes, anywhere }) => {
  expect(listRights(id)).toEqual([uses, writes, anywhere]);
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
      expect(Object.keys(getEnvironment(template, `${id}Function`))).toEqual(expect.arrayContaining(names));
  }
});

test('no environment holds a secret', () => {
  for (const template of [prod, edge])
    for (const id of ['AuthorizerFunction', 'ApiFunction', 'RendererFunction', 'GeneratorFunction'])
      expect(JSON.stringify(getEnvironment(template, id))).not.toContain('resolve:secretsmanager');
});

test('paths of the image host need a signature unless they are listed as open', () => {
  const { DefaultCacheBehavior, CacheBehaviors = [] } = findProperties(prod, 'AWS::CloudFront::Distribution')[
    'DistributionConfig'
  ] as {
    DefaultCacheBehavior: { TrustedKeyGroups?: unknown };
    CacheBehaviors?: readonly { PathPattern: string; TrustedKeyGroups?: unknown }[];
  };
  expect(DefaultCacheBehavior.TrustedKeyGroups).toHaveLength(1);
  expect(CacheBehaviors.map(({ PathPattern, TrustedKeyGroups }) => [PathPattern, TrustedKeyGroups])).toEqual([
    ['public/*', undefined],
    ['stock/*', undefined],
  ]);
});

test('the image distribution shows a card for a missing file', () => {
  expect(findProperties(prod, 'AWS::CloudFront::Distribution')['DistributionConfig']).toMatchObject({
    CustomErrorResponses: [
      { ErrorCode: 404, ResponseCode: 404, ErrorCachingMinTTL: 60, ResponsePagePath: '/public/gone.svg' },
    ],
  });
});

test('the root of the image distribution is the file `index.html`', () =>
  expect(findProperties(prod, 'AWS::CloudFront::Distribution')['DistributionConfig']).toMatchObject({
    DefaultRootObject: 'index.html',
  }));

test('Lambda repeats no event for the generator', () => {
  expect(findProperties(prod, 'AWS::Lambda::EventInvokeConfig')).toMatchObject({
    MaximumRetryAttempts: 0,
    FunctionName: { Ref: 'GeneratorFunction' },
  });
});

test('each method leads to `api`, behind the authorizer if the route asks for a key', () => {
  const methods = Object.values(listResources(prod, 'AWS::ApiGateway::Method')).map(({ Properties }) => ({
    method: Properties['HttpMethod'],
    keyed: Properties['ApiKeyRequired'] === true && Properties['AuthorizationType'] === 'CUSTOM',
  }));
  const listMethods = (isKeyed: boolean) =>
    methods.flatMap(({ method, keyed }) => (keyed === isKeyed ? [method] : [])).sort();
  expect(listMethods(true)).toEqual(['ANY', 'ANY', 'ANY']);
  // Pages and what does not exist, each with a throttle of its own for what browsers send.
  expect(listMethods(false)).toEqual(['ANY', 'ANY', 'GET', 'GET', 'HEAD', 'HEAD']);
  const settings = JSON.stringify(findProperties(prod, 'AWS::ApiGateway::Stage')['MethodSettings']);
  expect(settings.match(/"ThrottlingRateLimit":50/g)).toHaveLength(4);
});

test.each([
  ['prod', 90],
  ['dev', 7],
] as const)('each log group of %s is kept for %d days', (stage, days) => {
  for (const { Properties } of Object.values(listResources({ prod, dev }[stage], 'AWS::Logs::LogGroup')))
    expect(Properties['RetentionInDays']).toBe(days);
});

test('the access log has no query, path or address', () => {
  const stage = findProperties(prod, 'AWS::ApiGateway::Stage');
  const { Format } = stage['AccessLogSetting'] as { Format: string };
  expect(Format).not.toMatch(/querystring|context\.path\b|sourceIp/i);
});

test('FailedAnswers counts each 5xx except those of AI images', () => {
  const designed = ['generation_in_progress', 'generation_paused'];
  const serverErrors = Object.entries(problems).filter(([, { status }]) => status >= 500);
  const failures = serverErrors.map(([code]) => code).filter((code) => !designed.includes(code));
  expect(failureCodes.toSorted()).toEqual(failures.sort());
  const alarm = JSON.stringify(listResources(prod)['FailedAnswersAlarm']);
  const counted = [...alarm.matchAll(/"Name":"code","Value":"(\w+)"/g)];
  expect(counted.map(([, code]) => code)).toEqual(failureCodes);
});

test('a deployment drops the old client package from the distribution', () => {
  const deployments = Object.values(listResources(prod, 'Custom::CDKBucketDeployment'));
  const paths = deployments.flatMap(({ Properties }) => Properties['DistributionPaths']);
  expect(paths).toContain('/public/client.tgz');
});

test('prod has at most 130 resources with at most ten alarms', () => {
  for (const template of [prod, edge])
    expect(Object.keys(listResources(template)).length).toBeLessThanOrEqual(130);
  expect(Object.keys(listResources(prod, 'AWS::CloudWatch::Alarm')).length).toBeLessThanOrEqual(10);
});
