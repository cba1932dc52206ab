/** Where a real AWS account is stricter than an emulated one: each test holds the template to one such fact. */

import type { Template } from 'aws-cdk-lib/assertions';
import { apiRoutes } from '../../../lambda/contract/routes';
import { emptyBucket } from '../../../lib/deploy-time/empty-bucket/empty-bucket';
import { protectTables } from '../../../lib/deploy-time/protect-tables/protect-tables';
import { ImageRedirectStack } from '../../../lib/image-redirect-stack';
import { stackNameOf, stageOf } from '../../../lib/stage';
import { everythingOn } from '../../../tools/review/everything';
import {
  environmentOf,
  propertiesWhere,
  recordsOf,
  resourcesOf,
  synthesise,
  unbundledApp,
} from '../synthesise';

const dev = synthesise('dev');
const prod = synthesise('prod');
const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/1';
const hostedZone = { id: 'Z0123456789', name: 'example.org' };
const everything = synthesise('prod', {
  alarmEmail: 'ops@example.org',
  monthlyBudgetUsd: 100,
  apiDomain: { name: 'api.example.org', certificateArn, hostedZone },
  imageDomain: { name: 'images.example.org', certificateArn, hostedZone },
});

const edge = synthesise('prod', { alarmEmail: 'ops@example.org', edge: true });

type Resource = { readonly DependsOn?: string | readonly string[] } & Readonly<Record<string, unknown>>;

const namedIn = new Map<Template, ReadonlyMap<string, readonly string[]>>();
/** Logical ids that each resource of a template names or refers to. */
function named(template: Template): ReadonlyMap<string, readonly string[]> {
  const all = Object.entries(resourcesOf(template) as unknown as Record<string, Resource>);
  const known =
    namedIn.get(template) ??
    new Map(
      all.map(([id, { DependsOn = [], ...rest }]) => {
        const referred = JSON.stringify(rest).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"([^".]+)/g);
        return [id, [...[DependsOn].flat(), ...[...referred].map(([, to = '']) => to)]];
      }),
    );
  namedIn.set(template, known);
  return known;
}

/** Logical ids that a resource waits for, named or referred to, directly or through others. */
function waitsFor(template: Template, id: string): ReadonlySet<string> {
  const all = named(template);
  const found = new Set<string>();
  const visit = (from: string): void => {
    for (const to of all.get(from) ?? [])
      if (all.has(to) && !found.has(to)) {
        found.add(to);
        visit(to);
      }
  };
  visit(id);
  return found;
}

test('no resource waits for itself, which CloudFormation would refuse', () => {
  for (const template of [dev, prod, everything, edge])
    for (const id of Object.keys(resourcesOf(template)))
      expect([id, waitsFor(template, id).has(id)]).toEqual([id, false]);
});

test('API Gateway attaches keys to usage plans one at a time: each plan and key waits for the key before it', () => {
  const keys = Object.keys(resourcesOf(prod, 'AWS::ApiGateway::UsagePlanKey'));
  const plans = Object.keys(resourcesOf(prod, 'AWS::ApiGateway::UsagePlan'));
  expect(keys).toHaveLength(6);
  // In a chain, every two have an order.
  for (const [i, one] of [...keys, ...plans].entries())
    for (const other of [...keys, ...plans].slice(i + 1))
      expect(waitsFor(prod, one).has(other) || waitsFor(prod, other).has(one)).toBe(true);
});

test('a topic policy replaces the one that lets alarms publish: CloudWatch is allowed to, for this account alone', () => {
  const { PolicyDocument } = propertiesWhere(everything, 'AWS::SNS::TopicPolicy');
  const { Statement } = PolicyDocument as { Statement: Record<string, unknown>[] };
  expect(Statement.filter(({ Effect }) => Effect === 'Allow')).toEqual([
    {
      Sid: expect.any(String),
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Action: 'sns:Publish',
      Resource: { Ref: 'AlarmTopic' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    },
  ]);
});

describe('a custom resource is deleted when a stage begins to keep its data, too', () => {
  const call = (RequestType: string, tags: Readonly<Record<string, string>>) => {
    const images = ['public/a.webp', 'masters/a.png'];
    const work = emptyBucket({
      tagsOf: async () => tags,
      somePaths: async () => [...images],
      remove: async (_, paths) => void images.splice(0, paths.length),
    });
    return work({ RequestType, ResourceProperties: { Bucket: 'b' } } as never).then(() => images.length);
  };
  const [tag] = propertiesWhere(dev, 'AWS::S3::Bucket')['Tags'] as { Key: string; Value: string }[];
  const tags = { [tag?.Key ?? '']: tag?.Value ?? '' };

  test('it empties a bucket that carries the tag of one that goes with its stack', async () => {
    expect(await call('Delete', tags)).toBe(0);
  });

  test('it leaves a bucket alone that has lost the tag', async () => {
    expect(await call('Delete', {})).toBe(2);
    expect(await call('Delete', { [tag?.Key ?? '']: 'no' })).toBe(2);
  });

  test('it does nothing before', async () => {
    expect(await call('Create', tags)).toBe(2);
    expect(await call('Update', tags)).toBe(2);
  });

  test('a stage that keeps its data has no such tag, and no such resource', () => {
    expect(JSON.stringify(resourcesOf(prod, 'AWS::S3::Bucket'))).not.toContain(tag?.Key);
    prod.resourceCountIs('Custom::EmptiedBucket', 0);
    dev.resourceCountIs('Custom::EmptiedBucket', 1);
  });
});

test('table protection follows the setting both ways, and stays as it is when the stack goes', async () => {
  const state: Record<string, boolean> = { a: false, b: true };
  const work = protectTables({
    isProtected: async (name) => state[name] === true,
    protect: async (name, isProtected) => {
      // DynamoDB refuses a change that changes nothing.
      if (state[name] === isProtected) throw new Error('nothing changes');
      state[name] = isProtected;
    },
  });
  const ask = (RequestType: string, Protected: string) =>
    work({ RequestType, ResourceProperties: { TableNames: ['a', 'b'], Protected } } as never);
  await ask('Create', 'true');
  expect(state).toEqual({ a: true, b: true });
  await ask('Delete', 'true');
  expect(state).toEqual({ a: true, b: true });
  await ask('Update', 'false');
  expect(state).toEqual({ a: false, b: false });
});

test('a Bedrock model of another family or version can be set, and is what the generator may call', () => {
  const modelId = 'stability.stable-image-core-v2:0';
  const changed = synthesise('dev', {
    generator: { kind: 'bedrock-stability', modelId, region: 'eu-west-1' },
  });
  const policies = JSON.stringify(resourcesOf(changed, 'AWS::IAM::Policy'));
  expect(policies).toContain(`:bedrock:eu-west-1::foundation-model/${modelId}`);
});

test('a model of the Marketplace needs an agreement, which the generator may make with its first call', () => {
  const generator = Object.values(resourcesOf(prod, 'AWS::IAM::Policy')).find(({ Properties }) =>
    JSON.stringify(Properties['Roles']).includes('GeneratorFunctionRole'),
  );
  const { PolicyDocument } = generator?.Properties ?? {};
  const { Statement } = PolicyDocument as { Statement: Record<string, unknown>[] };
  expect(Statement).toContainEqual({
    Effect: 'Allow',
    Action: ['aws-marketplace:Subscribe', 'aws-marketplace:ViewSubscriptions'],
    Resource: '*',
    Condition: { StringEquals: { 'aws:CalledViaLast': 'bedrock.amazonaws.com' } },
  });
  const sandboxed = synthesise('prod', { generator: { kind: 'sandbox' } });
  expect(JSON.stringify(sandboxed.toJSON())).not.toContain('aws-marketplace');
});

test('a new account runs few functions at once: nothing is reserved unless it is set', () => {
  const reserved = (template: Template) =>
    Object.entries(resourcesOf(template, 'AWS::Lambda::Function')).flatMap(([id, { Properties }]) =>
      Properties['ReservedConcurrentExecutions'] === undefined
        ? []
        : [[id, Properties['ReservedConcurrentExecutions']]],
    );
  expect(reserved(prod)).toEqual([]);
  const concurrency = { generatorConcurrency: 5, rendererConcurrency: 20, authorizerConcurrency: 50 };
  expect(Object.fromEntries(reserved(synthesise('prod', concurrency)))).toEqual({
    GeneratorFunction: 5,
    RendererFunction: 20,
    AuthorizerFunction: 50,
  });
});

describe('usage plans throttle only after the authorizer', () => {
  const { MethodSettings } = propertiesWhere(prod, 'AWS::ApiGateway::Stage') as unknown as {
    MethodSettings: Record<string, unknown>[];
  };

  test('the stage limits everything before it, and each open method by itself', () => {
    const limited = MethodSettings.map(({ ResourcePath, HttpMethod, ThrottlingRateLimit }) => [
      `${HttpMethod} ${ResourcePath}`,
      ThrottlingRateLimit,
    ]);
    expect(Object.fromEntries(limited)).toMatchObject({
      '* /*': 5_000,
      'GET /': 50,
      'HEAD /': 50,
      'OPTIONS /': 50,
      'GET /~1openapi.json': 50,
      'OPTIONS /~1api~1image': 50,
      'OPTIONS /~1api~1image~1{spec}': 50,
    });
    expect(limited.map(([method]) => method)).not.toContain('GET /~1api~1image');
  });

  test('preflights and methods that there are not start no function', () => {
    const methods = Object.values(resourcesOf(prod, 'AWS::ApiGateway::Method')).map(
      ({ Properties }) => Properties,
    );
    const other = methods.filter(({ HttpMethod }) => HttpMethod === 'OPTIONS' || HttpMethod === 'ANY');
    expect(other).toHaveLength(2 * apiRoutes.filter(({ hasOtherMethods }) => hasOtherMethods).length);
    for (const { Integration } of other)
      expect(Integration).toMatchObject({ Type: 'MOCK', PassthroughBehavior: 'NEVER' });
    for (const { Integration } of methods.filter(({ HttpMethod }) => HttpMethod === 'GET'))
      expect(Integration).toMatchObject({ Type: 'AWS_PROXY' });
  });
});

test('a public key of CloudFront never changes: a new version is a new key, and both are trusted in the overlap', () => {
  const keysOf = (template: Template) => resourcesOf(template, 'AWS::CloudFront::PublicKey');
  const [overlap, after] = [[1, 2], [2]].map((trusted) =>
    synthesise('prod', { signingKey: { version: 2, trusted } }),
  ) as [Template, Template];
  expect(Object.keys(keysOf(overlap))).toEqual(['SigningPublicKeyV1', 'SigningPublicKeyV2']);
  // What URLs were signed with before is not touched.
  expect(keysOf(overlap)['SigningPublicKeyV1']).toEqual(keysOf(prod)['SigningPublicKeyV1']);
  expect(Object.keys(keysOf(after))).toEqual(['SigningPublicKeyV2']);
  const { KeyGroupConfig } = propertiesWhere(overlap, 'AWS::CloudFront::KeyGroup');
  expect(KeyGroupConfig).toMatchObject({
    Items: [{ Ref: 'SigningPublicKeyV1' }, { Ref: 'SigningPublicKeyV2' }],
  });
  const configs = Object.values(keysOf(overlap)).map(({ Properties }) => Properties['PublicKeyConfig']) as {
    Name: unknown;
    CallerReference: unknown;
  }[];
  for (const field of ['Name', 'CallerReference'] as const)
    expect(new Set(configs.map((config) => JSON.stringify(config[field]))).size).toBe(2);
  const { SIGNING_KEY_PAIR_ID } = environmentOf(overlap, 'RedirectFunction');
  expect(SIGNING_KEY_PAIR_ID).toEqual({ Ref: 'SigningPublicKeyV2' });
  expect(waitsFor(overlap, 'RedirectFunction')).toContain('SigningPublicKeyV2');
});

test('what a failed first deployment made goes with it, so that the next attempt finds nothing in its way', () => {
  const kept = Object.values(prod.toJSON()['Resources'] as Record<string, { DeletionPolicy?: string }>)
    .map(({ DeletionPolicy }) => DeletionPolicy)
    .filter((policy) => policy !== undefined && policy !== 'Delete');
  expect(kept.length).toBeGreaterThan(6);
  expect(new Set(kept)).toEqual(new Set(['RetainExceptOnCreate']));
});

test('only a stack that keeps data is protected from termination', () => {
  const isProtected = (name: 'dev' | 'prod') =>
    new ImageRedirectStack(unbundledApp(), 'Test', { stage: stageOf(name) }).terminationProtection;
  expect([isProtected('dev'), isProtected('prod')]).toEqual([false, true]);
});

describe('metrics are distinguished by name alone', () => {
  const templateOf = (name: 'dev' | 'prod', settings = {}) => {
    const stage = stageOf(name, settings);
    const app = unbundledApp();
    const stack = new ImageRedirectStack(app, stackNameOf(stage), { stage });
    return app.synth().getStackByName(stack.stackName).template as Record<string, Record<string, never>>;
  };
  const text = (name: 'dev' | 'prod', settings = {}) => JSON.stringify(templateOf(name, settings));

  test('the API and the namespace carry the stage and the installation', () => {
    expect(text('dev')).toContain('"Name":"ImageRedirect-dev"');
    const second = text('prod', { installation: 'shop' });
    expect(second).toContain('"Name":"ImageRedirect-shop-prod"');
    expect(second).toContain('"METRIC_NAMESPACE":"ImageRedirect-shop-prod"');
    expect(second).not.toMatch(/"Namespace":"ImageRedirect(-prod)?"/);
  });

  test('names that are global in an account carry stage, installation and region', () => {
    const { Resources = {} } = templateOf('prod', { installation: 'shop' });
    const names = Object.values(
      Resources as Record<string, { Type: string; Properties: Record<string, never> }>,
    )
      .filter(({ Type }) => /^AWS::CloudFront::(?!Distribution)/.test(Type))
      .flatMap(({ Properties }) =>
        Object.values(Properties).map((config: { Name?: unknown }) => config.Name),
      );
    expect(names).toHaveLength(4);
    for (const name of names)
      expect(JSON.stringify(name)).toMatch(/ImageRedirect-shop-prod-[a-z0-9-]+",\{"Ref":"AWS::Region"\}/);
  });
});

test('an account has one role for API Gateway logs, which a stack can leave alone', () => {
  prod.resourceCountIs('AWS::ApiGateway::Account', 1);
  synthesise('prod', { setsApiGatewayLogRole: false }).resourceCountIs('AWS::ApiGateway::Account', 0);
});

test('a template of other characters than ASCII comes back changed: none holds any', () => {
  const outlandish = synthesise('dev', {
    generator: {
      kind: 'openai-compatible',
      baseUrl: 'https://a.example',
      model: 'm',
      extraBody: { a: '\u00e9' },
    },
  });
  for (const template of [dev, prod, everything, edge, outlandish, synthesise('prod', everythingOn)])
    expect(JSON.stringify(template.toJSON()).match(/[^ -~]/g)).toBeNull();
});

test('a domain of its own leaves no other way into the API, and its DNS records are made where the zone is given', () => {
  everything.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: false });
  const { id } = hostedZone;
  const regional = expect.stringMatching(/^ImageApiDomain\w+\.RegionalDomainName$/);
  expect(recordsOf(everything)).toEqual({
    ApiRecord: ['api.example.org.', 'A', id, regional],
    ImageRecord: ['images.example.org.', 'A', id, 'ImageDistribution.DomainName'],
    ImageRecordIpv6: ['images.example.org.', 'AAAA', id, 'ImageDistribution.DomainName'],
  });
  everything.hasOutput('ApiDomainTarget', {});
  everything.hasOutput('ImageHost', {});
  prod.resourceCountIs('AWS::Route53::RecordSet', 0);
});
