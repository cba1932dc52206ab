/** The API: authorization by route, gateway responses and access logs. */

import { Match } from 'aws-cdk-lib/assertions';
import { outputs } from '../../../lambda/contract/outputs';
import { tiers } from '../../../lambda/contract/plans';
import { apiRoutes } from '../../../lambda/contract/routes';
import {
  answeredMediaTypes,
  type GatewayResponse,
  gatewayHeaders,
  gatewayResponses,
  gatewayStatus,
} from '../../../lambda/http/gateway-responses';
import { propertiesWhere, resourcesOf, synthesise } from '../synthesise';

const template = synthesise('dev');

interface Method {
  readonly route: string;
  readonly verb: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

const methods: readonly Method[] = Object.entries(resourcesOf(template, 'AWS::ApiGateway::Method')).map(
  ([, { Properties }]) => ({
    route: routeOf(Properties['ResourceId']),
    verb: String(Properties['HttpMethod']),
    properties: Properties,
  }),
);

function routeOf(reference: unknown): string {
  const id = (reference as { Ref?: string }).Ref;
  const resource = id === undefined ? undefined : resourcesOf(template, 'AWS::ApiGateway::Resource')[id];
  return resource ? `${routeOf(resource.Properties['ParentId'])}/${resource.Properties['PathPart']}` : '';
}

test('every image route answers GET, HEAD and OPTIONS, and refuses other methods in the gateway', () => {
  for (const route of [
    '/api/image',
    '/api/image/{spec}',
    '/api/image/{spec}/{rest+}',
    '/api/image/id/{id}',
  ]) {
    const verbs = methods.filter((method) => method.route === route).map(({ verb }) => verb);
    expect(verbs.sort()).toEqual(['ANY', 'GET', 'HEAD', 'OPTIONS']);
  }
});

test('GET and HEAD of images use the authorizer and its usage plan', () => {
  const keyed = methods.filter(
    ({ verb, route }) => /^(GET|HEAD)$/.test(verb) && route.startsWith('/api/image'),
  );
  // Those of the four image routes, and the GET of the batch that gets a card.
  expect(keyed).toHaveLength(9);
  for (const { properties } of keyed)
    expect(properties).toMatchObject({
      ApiKeyRequired: true,
      AuthorizationType: 'CUSTOM',
      AuthorizerId: { Ref: 'ImageAuthorizer' },
    });
});

test('a preflight is answered for every usual media type, with the methods of its route', () => {
  const preflights = methods.filter(({ verb }) => verb === 'OPTIONS');
  for (const { route, properties } of preflights) {
    const { RequestTemplates, IntegrationResponses } = properties['Integration'] as {
      RequestTemplates: object;
      IntegrationResponses: { ResponseParameters: Record<string, string> }[];
    };
    expect(Object.keys(RequestTemplates)).toEqual([...answeredMediaTypes]);
    expect(new Set(Object.values(RequestTemplates))).toEqual(new Set(['{"statusCode": 204}']));
    const allowed = apiRoutes.find(({ path }) => path === (route || '/'))?.methods ?? [];
    expect(IntegrationResponses[0]?.ResponseParameters['method.response.header.Allow']).toBe(
      `'${[...allowed, 'OPTIONS'].join(', ')}'`,
    );
  }
});

test('preflights and unsupported methods require no authorization', () => {
  for (const { properties } of methods.filter(({ verb }) => /^(OPTIONS|ANY)$/.test(verb))) {
    expect(properties['AuthorizationType']).toBe('NONE');
    expect(properties['ApiKeyRequired'] ?? false).toBe(false);
  }
});

test('every other path reaches the function that answers 404, without a key', () => {
  const elsewhere = methods.filter(({ route }) => route === '/{path+}');
  expect(elsewhere.map(({ verb, properties }) => [verb, properties['AuthorizationType']])).toEqual(
    expect.arrayContaining([
      ['GET', 'NONE'],
      ['HEAD', 'NONE'],
    ]),
  );
  expect(elsewhere).toHaveLength(2);
});

test('the authorizer has no identity source and no cache, so that callers without a key reach it', () => {
  template.hasResourceProperties('AWS::ApiGateway::Authorizer', {
    Type: 'REQUEST',
    AuthorizerResultTtlInSeconds: 0,
    IdentitySource: Match.absent(),
  });
});

test('the API is regional and takes the usage plan from the authorizer', () => {
  template.hasResourceProperties('AWS::ApiGateway::RestApi', {
    ApiKeySourceType: 'AUTHORIZER',
    EndpointConfiguration: { Types: ['REGIONAL'] },
  });
});

test('every tier has a plan and one key of 20 to 128 characters, which the authorizer knows', () => {
  template.resourceCountIs('AWS::ApiGateway::UsagePlan', tiers.length);
  template.resourceCountIs('AWS::ApiGateway::UsagePlanKey', tiers.length);
  template.resourceCountIs('AWS::ApiGateway::ApiKey', tiers.length);
  const tierKeys = JSON.stringify(
    resourcesOf(template, 'AWS::Lambda::Function')['AuthorizerFunction']?.Properties['Environment'],
  );
  for (const { Properties } of Object.values(resourcesOf(template, 'AWS::ApiGateway::ApiKey'))) {
    const [, parts] = (Properties['Value'] as { 'Fn::Join': [string, unknown[]] })['Fn::Join'];
    const stackIdLength = 32;
    const [fixed = ''] = parts.filter((part) => typeof part === 'string') as string[];
    expect(fixed.length + stackIdLength).toBeGreaterThanOrEqual(20);
    expect(fixed.length + stackIdLength).toBeLessThanOrEqual(128);
    expect(tierKeys).toContain(fixed);
  }
});

test("the tiers' throttles are the stage's", () => {
  const changed = synthesise('dev', {
    throttles: Object.fromEntries(tiers.map((tier, i) => [tier, { perSecond: i + 1, burst: i + 7 }])),
  });
  changed.hasResource('AWS::ApiGateway::UsagePlan', {
    Properties: { Throttle: { RateLimit: tiers.length, BurstLimit: tiers.length + 6 } },
  });
});

const gatewayResponse = (type: string) =>
  propertiesWhere(
    template,
    'AWS::ApiGateway::GatewayResponse',
    (properties) => properties['ResponseType'] === type,
  );

test.each(Object.entries<GatewayResponse>(gatewayResponses))(
  '%s is a problem document that any page can read',
  (type, expected) => {
    const { StatusCode, ResponseParameters, ResponseTemplates } = gatewayResponse(type) as {
      StatusCode: string;
      ResponseParameters: Record<string, string>;
      ResponseTemplates: Record<string, string>;
    };
    const document = JSON.parse(ResponseTemplates['application/json'] as string);
    expect(StatusCode).toBe(String(gatewayStatus(expected)));
    expect(document).toMatchObject({
      code: expected.code,
      status: Number(StatusCode),
      requestId: '$context.requestId',
    });
    expect(Object.keys(document)).toEqual(['type', 'title', 'status', 'detail', 'code', 'requestId']);
    const headers = Object.entries(gatewayHeaders(expected));
    expect(ResponseParameters).toEqual(
      Object.fromEntries(headers.map(([name, value]) => [`gatewayresponse.header.${name}`, `'${value}'`])),
    );
  },
);

test('the access log holds a fixed list of fields, none of which can hold a key, a query or an IP address', () => {
  const { AccessLogSetting } = propertiesWhere(template, 'AWS::ApiGateway::Stage');
  const { Format } = AccessLogSetting as { Format: string };
  const fields = JSON.parse(Format) as Record<string, string>;
  expect(Object.keys(fields).sort()).toEqual([
    'authorizerLatencyMs',
    'caller',
    'fault',
    'functionLatencyMs',
    'gatewayResponse',
    'keyId',
    'latencyMs',
    'method',
    'plan',
    'requestId',
    'responseBytes',
    'route',
    'status',
    'time',
  ]);
  expect(Format).not.toMatch(/querystring|context\.path|sourceIp|userAgent|header|apiKey(?!Id)/i);
});

test('the access log alone is in the Infrequent Access class, and no metric filter or subscription reads it', () => {
  const groups = Object.entries(resourcesOf(template, 'AWS::Logs::LogGroup'));
  const infrequent = groups.filter(
    ([, { Properties }]) => Properties['LogGroupClass'] === 'INFREQUENT_ACCESS',
  );
  expect(infrequent.map(([id]) => id)).toEqual(['RequestLog']);
  const { AccessLogSetting } = propertiesWhere(template, 'AWS::ApiGateway::Stage');
  expect(JSON.stringify(AccessLogSetting)).toContain('"Fn::GetAtt":["RequestLog","Arn"]');
  for (const type of ['AWS::Logs::MetricFilter', 'AWS::Logs::SubscriptionFilter'])
    expect(resourcesOf(template, type)).toEqual({});
});

test('the execution log is off, because it would contain query strings', () => {
  template.hasResourceProperties('AWS::ApiGateway::Stage', {
    MethodSettings: Match.arrayWith([
      Match.objectLike({ ResourcePath: '/*', HttpMethod: '*', LoggingLevel: 'OFF', DataTraceEnabled: false }),
    ]),
  });
});

test('a domain of its own is in front of the API and in its problem types', () => {
  const certificateArn = 'arn:aws:acm:eu-west-1:123456789012:certificate/1';
  const own = synthesise('dev', { apiDomain: { name: 'images.example.org', certificateArn } });
  const [[id, { Properties }] = ['', { Properties: {} }]] = Object.entries(
    resourcesOf(own, 'AWS::ApiGateway::DomainName'),
  );
  expect(Properties).toEqual({
    DomainName: 'images.example.org',
    EndpointConfiguration: { Types: ['REGIONAL'] },
    RegionalCertificateArn: certificateArn,
    SecurityPolicy: 'TLS_1_2',
  });
  // All paths of the name are those of the stage.
  expect(propertiesWhere(own, 'AWS::ApiGateway::BasePathMapping')).toEqual({
    DomainName: { Ref: id },
    RestApiId: { Ref: 'ImageApi' },
    Stage: { Ref: expect.stringMatching(/^ImageApiDeploymentStagedev/) },
  });
  expect(JSON.stringify(own.toJSON())).toContain('https://images.example.org/#rate_limited');
  // A record that points to the domain itself would lead nowhere.
  own.hasOutput(outputs.apiDomainTarget, {
    Value: { 'Fn::GetAtt': [id, 'RegionalDomainName'] },
  });
  own.hasOutput('TryIt', { Value: 'https://images.example.org/api/image/1200x800-mountain-lake' });
});

test('a firewall is on in prod by default, with a rate rule only', () => {
  template.resourceCountIs('AWS::WAFv2::WebACL', 0);
  synthesise('prod').resourceCountIs('AWS::WAFv2::WebACL', 1);
  synthesise('prod', { firewallRequestsPer5Min: 'off' }).resourceCountIs('AWS::WAFv2::WebACL', 0);
  const guarded = synthesise('dev', { firewallRequestsPer5Min: 500 });
  guarded.resourceCountIs('AWS::WAFv2::WebACLAssociation', 1);
  const { DefaultAction, Rules, ...rest } = propertiesWhere(guarded, 'AWS::WAFv2::WebACL');
  expect([DefaultAction, rest['Scope']]).toEqual([{ Allow: {} }, 'REGIONAL']);
  // Samples would keep query strings.
  for (const { VisibilityConfig } of [rest, ...(Rules as { VisibilityConfig?: unknown }[])])
    expect(VisibilityConfig).toMatchObject({ CloudWatchMetricsEnabled: true, SampledRequestsEnabled: false });
  const rate = { Limit: 500, AggregateKeyType: 'IP', EvaluationWindowSec: 300 };
  expect(Rules).toMatchObject([{ Action: { Block: {} }, Statement: { RateBasedStatement: rate } }]);
});
