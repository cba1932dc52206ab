/** The functions: one role each with exact rights, Node 24, JSON logs with retention, and canaries in prod. */

import { functionNodeVersion } from '../../../lambda/contract/functions';
import { renditionPrefixes } from '../../../lambda/contract/image-paths';
import { generationLeaseMs } from '../../../lambda/contract/timeouts';
import { scripts } from '../../../package.json';
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

const actionsOf = (roleId: string) =>
  statementsOf(roleId)
    .flatMap(({ Action }) => Action)
    .sort();

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

test('what has to run on the version of Node.js that the functions run on does', () => {
  expect(functionNodeVersion).toBe(24);
  expect(scripts.node24).toMatch(/^node tools\/node24\.mjs$/);
  expect(scripts['test:loaders']).toMatch(/ node24 /);
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

test('the authorizer may look up keys and nothing else', () => {
  expect(actionsOf('AuthorizerFunctionRole')).toEqual([
    'dynamodb:GetItem',
    'logs:CreateLogStream',
    'logs:PutLogEvents',
  ]);
});

test('the renderer may read and store images, keep a placeholder, read the key of AI images, and nothing else', () => {
  expect(actionsOf('RendererFunctionRole')).toEqual([
    'dynamodb:GetItem',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    'logs:CreateLogStream',
    'logs:PutLogEvents',
    's3:GetObject',
    's3:ListBucket',
    's3:PutObject',
    'secretsmanager:GetSecretValue',
  ]);
});

test('the renderer may invoke the model of a judge in its region, and nothing else for it', () => {
  const policiesOf = (settings: Readonly<Record<string, unknown>>) =>
    JSON.stringify(
      Object.values(resourcesOf(synthesise('dev', settings), 'AWS::IAM::Policy')).filter(({ Properties }) =>
        JSON.stringify(Properties['Roles']).includes('RendererFunctionRole'),
      ),
    );
  const judge = { kind: 'bedrock', modelId: 'amazon.nova-lite-v1:0', region: 'eu-west-1' };
  const [before, after] = [policiesOf({}), policiesOf({ judge })];
  expect(before).not.toContain('bedrock');
  expect(after).toContain(':bedrock:eu-west-1::foundation-model/amazon.nova-lite-v1:0');
  expect(after.match(/"bedrock:\w+"/g)).toEqual(['"bedrock:InvokeModel"']);
});

test('the renderer may write renditions alone, and the generator masters alone', () => {
  const written = (roleId: string) =>
    statementsOf(roleId)
      .filter(({ Action }) => [Action].flat().includes('s3:PutObject'))
      .flatMap(({ Resource }) => JSON.stringify(Resource).match(/\/[\w/]*\*/g));
  expect(written('RendererFunctionRole')).toEqual(['/private/*', '/public/*', '/stock/*']);
  expect(written('GeneratorFunctionRole')).toEqual(['/masters/*']);
  // What keys change over HTTP.
  expect(written('RedirectFunctionRole')).toEqual(['/log/*']);
});

test('the redirect function may look up no key, neither see nor store images but the index of photographs and the log, and scan or delete no records', () => {
  const actions = actionsOf('RedirectFunctionRole').filter((action) => action !== 's3:GetObject');
  const reading = statementsOf('RedirectFunctionRole').filter(({ Action }) =>
    [Action].flat().includes('s3:GetObject'),
  );
  expect(reading).toHaveLength(1);
  expect(JSON.stringify(reading[0]?.Resource)).toContain('/library/index/*');
  expect(actions).toEqual(expect.arrayContaining(['dynamodb:UpdateItem', 'lambda:InvokeFunction']));
  expect(
    actions.filter((action) => /s3:(Get|Put)|dynamodb:(Delete|Scan|Batch|Transact)|\*/.test(action)),
  ).toEqual(['s3:PutObject']);
  // Of an account, it lists the signers, to sign what a record names.
  const text = JSON.stringify(statementsOf('RedirectFunctionRole'));
  expect(text.match(/"ApiKeysTable","Arn"\]\},?("[^"]*")?/g)).toEqual([
    '"ApiKeysTable","Arn"]},"/index/byAccount"',
  ]);
});

test('who settles generations may delete masters alone; only what empties the bucket with its stack may delete more', () => {
  const deleting = Object.keys(functions).flatMap((id) =>
    statementsOf(`${id}Role`)
      .filter(({ Action }) => [Action].flat().includes('s3:DeleteObject'))
      .map(({ Resource }) => [id, JSON.stringify(Resource)]),
  );
  const masters = JSON.stringify({
    'Fn::Join': ['', [{ 'Fn::GetAtt': ['ImageBucket', 'Arn'] }, '/masters/*']],
  });
  expect(deleting.toSorted()).toEqual([
    ['BucketEmptier', masters.replace('masters/', '')],
    ['GeneratorFunction', masters],
    ['RedirectFunction', masters],
    ['SweeperFunction', masters],
  ]);
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

test('no action is a wildcard, and no resource is one but the images of the one bucket and where AWS names none', () => {
  const statements = Object.keys(functions).flatMap((id) => statementsOf(`${id}Role`));
  expect(statements.flatMap(({ Action }) => Action).filter((action) => action.includes('*'))).toEqual([]);
  // The Marketplace, and the limits of the account.
  const nameless = /^(aws-marketplace:\w+|lambda:GetAccountSettings)$/;
  const named = statements.filter(({ Action }) => ![Action].flat().every((action) => nameless.test(action)));
  const resources = named.flatMap(({ Resource }) => (Array.isArray(Resource) ? Resource : [Resource]));
  const wild = resources.filter((resource) => JSON.stringify(resource).includes('*'));
  const images = (prefix: string) =>
    JSON.stringify({ 'Fn::Join': ['', [{ 'Fn::GetAtt': ['ImageBucket', 'Arn'] }, `/${prefix}*`]] });
  const prefixes = ['', 'masters/', 'library/index/', 'log/', ...renditionPrefixes];
  for (const resource of wild) expect(prefixes.map(images)).toContain(JSON.stringify(resource));
});

// A function that need not replace or delete items cannot.
test.each([
  ['Authorizer', ['GetItem']],
  ['Redirect', ['GetItem', 'PutItem', 'Query', 'UpdateItem']],
  ['Renderer', ['GetItem', 'PutItem', 'UpdateItem']],
  ['Generator', ['GetItem', 'UpdateItem']],
  ['Sweeper', ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem']],
  ['Usage', ['BatchGetItem', 'GetItem', 'Query', 'UpdateItem']],
])('of DynamoDB, %s may call %j', (name, actions) => {
  const of = actionsOf(`${name}FunctionRole`).filter((action) => action.startsWith('dynamodb:'));
  expect([...new Set(of)]).toEqual(actions.map((action) => `dynamodb:${action}`));
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

test('the sweeper settles what is due each minute, and searches for orphans each hour; no schedule sweeps everything, or twice', () => {
  const schedules = Object.values(resourcesOf(dev, 'AWS::Events::Rule')).map(({ Properties }) => ({
    every: Properties['ScheduleExpression'],
    targets: (Properties['Targets'] as readonly { Input?: string; RetryPolicy: object }[]).map(
      ({ Input, RetryPolicy }) => [Input, RetryPolicy],
    ),
  }));
  const once = { MaximumRetryAttempts: 0 };
  expect(schedules.sort((a, b) => String(a.every).localeCompare(String(b.every)))).toEqual([
    { every: 'rate(1 hour)', targets: [['{"orphans":true}', once]] },
    { every: 'rate(1 minute)', targets: [[undefined, once]] },
  ]);
});

test('the generator never receives an event twice', () => {
  const [invoke, ...more] = Object.values(resourcesOf(dev, 'AWS::Lambda::EventInvokeConfig'));
  expect(invoke?.Properties).toMatchObject({
    FunctionName: { Ref: 'GeneratorFunction' },
    MaximumRetryAttempts: 0,
  });
  expect(more).toEqual([]);
});
