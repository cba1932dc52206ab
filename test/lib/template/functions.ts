/** The functions: one role each with exact rights, Node 24, JSON logs with retention, and canaries in prod. */

import { generationLeaseMs } from '../../../lambda/contract/timeouts';
import { clientPackagePath } from '../../../lib/client-package';
import { examplePaths } from '../../../lib/example-images';
import { resourcesOf, synthesise, type TemplateResource } from '../synthesise';

const dev = synthesise('dev');
const prod = synthesise('prod');
const functions = resourcesOf(dev, 'AWS::Lambda::Function');

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/** Statements of the policies that hang on a role. */
function statementsOf(roleId: string): readonly Statement[] {
  return Object.values(resourcesOf(dev, 'AWS::IAM::Policy'))
    .filter(({ Properties }) => JSON.stringify(Properties['Roles']) === JSON.stringify([{ Ref: roleId }]))
    .flatMap(({ Properties }) => (Properties['PolicyDocument'] as { Statement: Statement[] }).Statement);
}

test('every function runs on Node 24, and on arm64 unless configured otherwise', () => {
  for (const { Properties } of Object.values(functions))
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'main.handler',
    });
  for (const { Properties } of Object.values(
    resourcesOf(synthesise('dev', { architecture: 'x86_64' }), 'AWS::Lambda::Function'),
  ))
    expect(Properties['Architectures']).toEqual(['x86_64']);
});

test('every function has a role and a log group of its own', () => {
  const parts = Object.values(functions).map(({ Properties }) => [
    JSON.stringify(Properties['Role']),
    JSON.stringify((Properties['LoggingConfig'] as { LogGroup: unknown }).LogGroup),
  ]);
  expect(new Set(parts.map(([role]) => role)).size).toBe(parts.length);
  expect(new Set(parts.map(([, logGroup]) => logGroup)).size).toBe(parts.length);
});

test('no function carries a managed policy', () => {
  for (const id of Object.keys(functions))
    expect(resourcesOf(dev)[`${id}Role`]?.Properties['ManagedPolicyArns']).toBeUndefined();
});

test('logs are JSON, without the platform reporting every call, and end with the retention of the stage', () => {
  for (const { Properties } of Object.values(functions))
    expect(Properties['LoggingConfig']).toMatchObject({ LogFormat: 'JSON', SystemLogLevel: 'WARN' });
  for (const { Properties } of Object.values(resourcesOf(dev, 'AWS::Logs::LogGroup')))
    expect(Properties['RetentionInDays']).toBe(7);
});

/** What a role may do beside writing its own log: `service:Actions` → resources, by the names in the template. */
function grantsOf(roleId: string): Readonly<Record<string, string>> {
  const nameOf = (resource: unknown) =>
    JSON.stringify(resource)
      .replace(/"(Ref|Fn::GetAtt|Fn::Join)":|"Arn"|[[\]{}",]/g, '')
      .replace(/arn:AWS::Partition|AWS::(Region|AccountId)/g, '');
  const [log, ...others] = statementsOf(roleId).map(({ Effect, Action, Resource }) => {
    expect(Effect).toBe('Allow');
    const actions = [Action].flat().map((action) => action.split(':'));
    return [
      `${actions[0]?.[0]}:${actions.map(([, name]) => name)}`,
      [Resource].flat().map(nameOf).join(' '),
    ] as const;
  });
  expect(log).toEqual(['logs:CreateLogStream,PutLogEvents', roleId.replace(/Role$/, 'Logs')]);
  const grants = Object.fromEntries(others);
  // Of two that differ in their conditions alone, one would be hidden.
  expect(Object.keys(grants)).toHaveLength(others.length);
  return grants;
}

// What a function need not see, replace or delete, it cannot.
const limits: Readonly<Record<string, readonly [number, number, Readonly<Record<string, string>>]>> = {
  AuthorizerFunction: [10, 512, { 'dynamodb:GetItem': 'ApiKeysTable' }],
  RedirectFunction: [
    28,
    1_024,
    {
      'dynamodb:GetItem,PutItem,UpdateItem': 'CacheTable ImagesTable',
      'dynamodb:GetItem,UpdateItem': 'GenerationIndexTable QuotaCountersTable',
      // Of an account, it lists the signers, to sign what a record names.
      'dynamodb:Query':
        'ApiKeysTable/index/byAccount GenerationIndexTable/index/byImageId GenerationIndexTable/index/publicByLook',
      'events:PutEvents': ':events:::event-bus/default',
      'lambda:GetAccountSettings': '*',
      'lambda:InvokeFunction': 'GeneratorFunction RendererFunction',
      's3:GetObject': 'ImageBucket/library/index/*',
      's3:ListBucket': 'ImageBucket',
      'secretsmanager:GetSecretValue': 'ProviderSecret SignerSecret SigningSecretV1',
    },
  ],
  UsageFunction: [
    15,
    512,
    {
      'dynamodb:BatchGetItem,GetItem,UpdateItem': 'QuotaCountersTable',
      'dynamodb:Query': 'ApiKeysTable/index/byAccount',
    },
  ],
  DocsFunction: [10, 512, {}],
  RendererFunction: [
    28,
    1_769,
    {
      's3:GetObject':
        'ImageBucket/library/* ImageBucket/masters/* ImageBucket/private/* ImageBucket/public/ai/* ImageBucket/stock/*',
      's3:ListBucket': 'ImageBucket',
      's3:PutObject': 'ImageBucket/private/* ImageBucket/public/ai/* ImageBucket/stock/*',
      'secretsmanager:GetSecretValue': 'ContentSecretV1',
    },
  ],
  GeneratorFunction: [
    140,
    1_024,
    {
      'aws-marketplace:Subscribe,ViewSubscriptions': '*',
      'bedrock:GetFoundationModel,InvokeModel':
        ':bedrock:us-west-2::foundation-model/stability.stable-image-core-v1:1',
      'dynamodb:GetItem,UpdateItem': 'GenerationIndexTable QuotaCountersTable',
      's3:DeleteObject,GetObject,PutObject': 'ImageBucket/masters/*',
      's3:ListBucket': 'ImageBucket',
    },
  ],
  SigningKeyMaker: [
    60,
    256,
    {
      's3:DeleteObject,PutObject': [clientPackagePath(), ...examplePaths().values()]
        .map((path) => `ImageBucket/${path}`)
        .sort()
        .join(' '),
      'secretsmanager:GetSecretValue,PutSecretValue': 'SigningSecretV1',
    },
  ],
  ContentKeyMaker: [60, 256, { 'secretsmanager:GetSecretValue,PutSecretValue': 'ContentSecretV1' }],
  TableProtector: [
    60,
    256,
    {
      'dynamodb:DescribeTable,UpdateTable':
        'ApiKeysTable GenerationIndexTable ImagesTable QuotaCountersTable',
    },
  ],
  BucketEmptier: [
    600,
    256,
    { 's3:DeleteObject': 'ImageBucket/*', 's3:GetBucketTagging,ListBucket': 'ImageBucket' },
  ],
};

test.each(Object.entries(limits))(
  '%s has its time, its memory and its rights, and no others',
  (id, [seconds, megabytes, grants]) => {
    expect(functions[id]?.Properties).toMatchObject({ Timeout: seconds, MemorySize: megabytes });
    expect(grantsOf(`${id}Role`)).toEqual(grants);
  },
);

test('no function is left out of these', () => {
  expect(Object.keys(functions).sort()).toEqual(Object.keys(limits).sort());
});

test('the generator ends before its lease does, and reserves concurrency only where it was set', () => {
  const generatorOf = (settings: Record<string, unknown>) =>
    resourcesOf(synthesise('dev', settings), 'AWS::Lambda::Function')['GeneratorFunction']?.['Properties'];
  expect(generatorOf({})).toMatchObject({ Timeout: expect.any(Number) });
  expect(Number(generatorOf({})?.['Timeout']) * 1_000).toBeLessThan(generationLeaseMs);
  expect(generatorOf({})).not.toHaveProperty('ReservedConcurrentExecutions');
  expect(generatorOf({ generatorConcurrency: 5 })).toHaveProperty('ReservedConcurrentExecutions', 5);
});

test("announcing goes to one bus: the account's own, or the one that was named", () => {
  const policiesOf = (settings: Record<string, unknown>) =>
    JSON.stringify(resourcesOf(synthesise('dev', settings), 'AWS::IAM::Policy'));
  expect(policiesOf({})).toContain(':event-bus/default');
  const named = policiesOf({ eventBus: 'ours' });
  expect(named).toContain(':event-bus/ours');
  expect(named).not.toContain(':event-bus/default');
});

test('functions have pinned logical ids, by which they are called locally', () => {
  expect(Object.keys(functions).every((id) => /^[A-Z][A-Za-z]+$/.test(id))).toBe(true);
  expect(Object.keys(functions)).toEqual(expect.arrayContaining(['AuthorizerFunction', 'RedirectFunction']));
});

const aliasOf = (resource: TemplateResource | undefined) =>
  JSON.stringify(resource?.Properties ?? {}).includes('FunctionLive');

test('in prod a tenth of the traffic goes to new code first, and back when it fails', () => {
  const aliases = resourcesOf(prod, 'AWS::Lambda::Alias');
  expect(Object.keys(aliases)).toEqual(
    expect.arrayContaining(['AuthorizerFunctionLive', 'RedirectFunctionLive', 'RendererFunctionLive']),
  );
  const groups = Object.values(resourcesOf(prod, 'AWS::CodeDeploy::DeploymentGroup'));
  expect(groups).toHaveLength(Object.keys(aliases).length);
  for (const { Properties } of groups) {
    expect(Properties['AlarmConfiguration']).toMatchObject({ Enabled: true });
    expect((Properties['AutoRollbackConfiguration'] as { Events: string[] }).Events).toContain(
      'DEPLOYMENT_STOP_ON_ALARM',
    );
    expect(JSON.stringify(Properties['DeploymentConfigName'])).toContain('LambdaCanary10Percent5Minutes');
  }
});

test('a canary judges the new version alone, by an alarm that no earlier version had', () => {
  const alarms = resourcesOf(prod, 'AWS::CloudWatch::Alarm');
  const groups = Object.values(resourcesOf(prod, 'AWS::CodeDeploy::DeploymentGroup'));
  const versions = groups.map(({ Properties }) => {
    const { Alarms } = Properties['AlarmConfiguration'] as { Alarms: readonly { Name: { Ref: string } }[] };
    // Nothing that the service as a whole counts: it may be on fire while its repair is deployed.
    expect(Alarms).toHaveLength(1);
    const { AlarmName, Metrics } = (alarms[Alarms[0]?.Name.Ref ?? ''] as TemplateResource).Properties as {
      AlarmName: unknown;
      Metrics: readonly { MetricStat?: { Metric: { Dimensions: { Name: string; Value: unknown }[] } } }[];
    };
    const [version, ...others] = Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric.Dimensions ?? [])
      .filter(({ Name }) => /version$/i.test(Name))
      .map(({ Value }) => JSON.stringify(Value));
    expect(version).toMatch(/FunctionCurrentVersion\w+","Version"\]/);
    expect(others).toEqual([version]);
    expect(JSON.stringify(AlarmName)).toContain(version);
    return version;
  });
  expect(new Set(versions).size).toBe(groups.length);
});

test('in prod API Gateway and the functions call one another by alias, in dev directly', () => {
  for (const [template, expected] of [
    [prod, true],
    [dev, false],
  ] as const) {
    expect(aliasOf(resourcesOf(template)['ImageAuthorizer'])).toBe(expected);
    expect(aliasOf(resourcesOf(template)['RedirectFunction'])).toBe(expected);
    const methods = Object.values(resourcesOf(template, 'AWS::ApiGateway::Method'));
    for (const method of methods.filter(
      ({ Properties }) => !/OPTIONS|ANY/.test(String(Properties['HttpMethod'])),
    ))
      expect(aliasOf(method)).toBe(expected);
  }
});

test('the generator never receives an event twice', () => {
  const [invoke, ...more] = Object.values(resourcesOf(dev, 'AWS::Lambda::EventInvokeConfig'));
  expect(invoke?.Properties).toMatchObject({
    FunctionName: { Ref: 'GeneratorFunction' },
    MaximumEventAgeInSeconds: 60,
    MaximumRetryAttempts: 0,
  });
  expect(more).toEqual([]);
});
