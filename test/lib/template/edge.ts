/** The template with a CloudFront distribution before the API: what it tells answers apart by, and who may pass it by. */

import { Match } from 'aws-cdk-lib/assertions';
import { edgeHeaders, sharedCachingS } from '../../../lambda/contract/edge';
import { outputs } from '../../../lambda/contract/outputs';
import { edgeFunctionBytesMax, viewerRequestCode } from '../../../lib/edge/viewer-request-code';
import { stageOf } from '../../../lib/stage';
import { environmentOf, propertiesWhere, recordsOf, resourcesOf, synthesise } from '../synthesise';

const template = synthesise('dev', { edge: true });
const own = synthesise('prod', {
  edge: true,
  apiDomain: {
    name: 'api.example.org',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
    hostedZone: { id: 'Z0123456789', name: 'example.org' },
  },
});

const distribution = (of = template) =>
  resourcesOf(of)['EdgeDistribution']?.Properties['DistributionConfig'] as Record<string, unknown>;
const behavior = distribution()['DefaultCacheBehavior'] as Record<string, unknown>;
const origin = (distribution()['Origins'] as Record<string, unknown>[])[0] ?? {};

/** The text of a `Fn::Join`, its references by their names. */
function joined(value: unknown): string {
  const [separator, parts] = (value as { 'Fn::Join': [string, unknown[]] })['Fn::Join'];
  return parts
    .map((part) =>
      typeof part === 'string'
        ? part
        : Object.values(part as object)
            .flat()
            .join('.'),
    )
    .join(separator);
}

test('a stage has no edge unless it is set', () => {
  for (const name of ['dev', 'prod'] as const) {
    const plain = synthesise(name);
    plain.resourceCountIs('AWS::CloudFront::Distribution', 1);
    plain.resourceCountIs('AWS::CloudFront::Function', 0);
    for (const id of ['RedirectFunction', 'UsageFunction', 'DocsFunction'])
      expect(Object.keys(environmentOf(plain, id))).not.toEqual(
        expect.arrayContaining(['ORIGIN_LOCK', 'ROOT_URL']),
      );
  }
});

test('the cache key is the path, the query as the function leaves it, the image format and whether there is a key', () => {
  expect(behavior['CachePolicyId']).toEqual({ Ref: 'EdgeCachePolicy' });
  template.hasResourceProperties('AWS::CloudFront::CachePolicy', {
    CachePolicyConfig: {
      ParametersInCacheKeyAndForwardedToOrigin: {
        QueryStringsConfig: { QueryStringBehavior: 'all', QueryStrings: Match.absent() },
        HeadersConfig: {
          HeaderBehavior: 'whitelist',
          Headers: [edgeHeaders.format, edgeHeaders.audience],
        },
        CookiesConfig: { CookieBehavior: 'none' },
        EnableAcceptEncodingGzip: false,
        EnableAcceptEncodingBrotli: false,
      },
    },
  });
});

test('the functions decide what is kept: nothing without their word, and nothing for longer than a day', () => {
  template.hasResourceProperties('AWS::CloudFront::CachePolicy', {
    CachePolicyConfig: { MinTTL: 0, DefaultTTL: 0, MaxTTL: sharedCachingS.fresh },
  });
  const errors = distribution()['CustomErrorResponses'] as {
    ErrorCachingMinTTL: number;
    ErrorCode: number;
  }[];
  expect(errors.map(({ ErrorCode }) => ErrorCode)).toEqual([
    400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504,
  ]);
  for (const { ErrorCachingMinTTL } of errors) expect(ErrorCachingMinTTL).toBe(0);
});

test('keys, Origin, Referer and Sec-Fetch headers reach the API; the host of the distribution and cookies do not', () => {
  expect(behavior['OriginRequestPolicyId']).toEqual({ Ref: 'EdgeOriginRequestPolicy' });
  template.hasResourceProperties('AWS::CloudFront::OriginRequestPolicy', {
    OriginRequestPolicyConfig: {
      HeadersConfig: { HeaderBehavior: 'allExcept', Headers: ['Host'] },
      QueryStringsConfig: { QueryStringBehavior: 'all' },
      CookiesConfig: { CookieBehavior: 'none' },
    },
  });
});

test('every path and method passes through one behavior, over HTTPS alone; only GET and HEAD are kept', () => {
  expect(distribution()).not.toHaveProperty('CacheBehaviors');
  expect(behavior).toMatchObject({ ViewerProtocolPolicy: 'https-only' });
  expect(behavior['AllowedMethods']).toEqual(expect.arrayContaining(['GET', 'HEAD', 'OPTIONS', 'POST']));
  expect(behavior['CachedMethods'] ?? ['GET', 'HEAD']).toEqual(['GET', 'HEAD']);
});

test('the function runs before the cache, in its newest runtime, from the linted source, and is small enough', () => {
  expect(behavior['FunctionAssociations']).toEqual([
    {
      EventType: 'viewer-request',
      FunctionARN: { 'Fn::GetAtt': ['EdgeViewerRequest', 'FunctionARN'] },
    },
  ]);
  const { FunctionCode, FunctionConfig, AutoPublish } = propertiesWhere(
    template,
    'AWS::CloudFront::Function',
  );
  expect(FunctionConfig).toMatchObject({ Runtime: 'cloudfront-js-2.0' });
  expect(AutoPublish).toBe(true);
  expect(FunctionCode).toBe(viewerRequestCode());
  expect(Buffer.byteLength(String(FunctionCode))).toBeLessThan(edgeFunctionBytesMax);
});

test('the origin is the stage of the API, by TLS 1.2, and no request is sent again while the API works on it', () => {
  expect(joined(origin['DomainName'])).toBe('ImageApi.execute-api.AWS::Region.AWS::URLSuffix');
  expect(origin['OriginPath']).toBe('/dev');
  expect(origin['CustomOriginConfig']).toEqual({
    OriginProtocolPolicy: 'https-only',
    OriginSSLProtocols: ['TLSv1.2'],
    OriginReadTimeout: 30,
  });
});

test('the origin is locked: distribution, functions and firewall take the secret from Secrets Manager', () => {
  const guarded = synthesise('prod', { edge: true });
  const [header] = (
    (distribution(guarded)['Origins'] as Record<string, unknown>[])[0] as {
      OriginCustomHeaders: { HeaderName: string; HeaderValue: unknown }[];
    }
  ).OriginCustomHeaders;
  expect(header?.HeaderName).toBe(edgeHeaders.lock);
  const lock = joined(header?.HeaderValue);
  expect(lock).toMatch(/^\{\{resolve:secretsmanager:\w+:SecretString:::\}\}$/);
  for (const id of ['RedirectFunction', 'UsageFunction', 'DocsFunction'])
    expect(joined(environmentOf(guarded, id)['ORIGIN_LOCK'])).toBe(lock);
  expect(JSON.stringify(resourcesOf(guarded, 'AWS::WAFv2::WebACL'))).toContain(
    JSON.stringify(header?.HeaderValue),
  );
});

/** What the distribution sends, what the functions accept, and the firewall's rules as text. */
function lockOf(of: typeof template) {
  const [{ OriginCustomHeaders: headers }] = distribution(of)['Origins'] as [
    { OriginCustomHeaders: { HeaderValue: unknown }[] },
  ];
  return {
    sent: joined(headers[0]?.HeaderValue),
    accepted: joined(environmentOf(of, 'RedirectFunction')['ORIGIN_LOCK']).split(' '),
    firewall: JSON.stringify(resourcesOf(of, 'AWS::WAFv2::WebACL')),
  };
}

test('the secret is rotated in three deployments, and what one sends is accepted before and after it', () => {
  const steps = [
    { version: 1 },
    { version: 1, trusted: [1, 2] },
    { version: 2, trusted: [1, 2] },
    { version: 2, trusted: [2] },
  ].map((originLock) => synthesise('prod', { edge: true, originLock }));
  const locks = steps.map(lockOf);
  for (const [i, { sent, firewall }] of locks.entries()) {
    // During a deployment, functions and firewall are those of the step before or after.
    for (const beside of [locks[i - 1], locks[i], locks[i + 1]])
      if (beside) expect(beside.accepted).toContain(sent);
    expect(firewall).toContain(sent.split(':')[2]);
  }
  expect(locks.map(({ accepted }) => accepted.length)).toEqual([1, 2, 2, 1]);
  expect(locks[3]?.sent).not.toBe(locks[0]?.sent);
  // The default is the first version, so that nothing changes for an installation that never rotates.
  expect(synthesise('prod', { edge: true }).toJSON()).toEqual(steps[0]?.toJSON());
});

test('the secret is made by the deployment, of characters that a header may hold', () => {
  expect(resourcesOf(template)['OriginLock']?.Properties['GenerateSecretString']).toEqual({
    ExcludePunctuation: true,
    PasswordLength: 48,
  });
});

test("the service's URL is the distribution's, in outputs, functions and the gateway's own answers", () => {
  const host = { 'Fn::GetAtt': ['EdgeDistribution', 'DomainName'] };
  template.hasOutput(outputs.apiUrl, { Value: { 'Fn::Join': ['', ['https://', host]] } });
  template.hasOutput(outputs.edgeDistribution, { Value: { Ref: 'EdgeDistribution' } });
  const { Value } = template.findOutputs(outputs.originUrl)[outputs.originUrl] ?? {};
  expect(joined(Value)).toBe('https://ImageApi.execute-api.AWS::Region.AWS::URLSuffix/dev');
  expect(environmentOf(template, 'DocsFunction')['ROOT_URL']).toEqual({
    'Fn::Join': ['', ['https://', host]],
  });
  const { ResponseTemplates } = propertiesWhere(
    template,
    'AWS::ApiGateway::GatewayResponse',
    ({ ResponseType }) => ResponseType === 'THROTTLED',
  ) as { ResponseTemplates: Record<string, unknown> };
  expect(joined(ResponseTemplates['application/json'])).toContain(
    '"type":"https://EdgeDistribution.DomainName/#rate_limited"',
  );
});

test('a custom domain is the distribution’s, with DNS records, and the API keeps the name by which it is reached', () => {
  own.resourceCountIs('AWS::ApiGateway::DomainName', 0);
  expect(distribution(own)).toMatchObject({
    Aliases: ['api.example.org'],
    ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021' },
  });
  own.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: false });
  own.hasOutput(outputs.apiUrl, { Value: 'https://api.example.org' });
  own.hasOutput(outputs.apiDomainTarget, { Value: { 'Fn::GetAtt': ['EdgeDistribution', 'DomainName'] } });
  // Under the same id as without a distribution: CloudFormation would make another record before it deletes the first.
  expect(recordsOf(own)).toEqual({
    ApiRecord: ['api.example.org.', 'A', 'Z0123456789', 'EdgeDistribution.DomainName'],
    ApiRecordIpv6: ['api.example.org.', 'AAAA', 'Z0123456789', 'EdgeDistribution.DomainName'],
  });
});

test('a certificate of another region is refused before anything is deployed', () => {
  const apiDomain = {
    name: 'api.example.org',
    certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/1',
  };
  expect(() => stageOf('prod', { edge: true, apiDomain })).toThrow(/us-east-1/);
  expect(() => stageOf('prod', { apiDomain })).not.toThrow();
});

test('the firewall counts viewers by their own IP address behind the edge, and no other caller’s requests as theirs', () => {
  const { Rules } = propertiesWhere(own, 'AWS::WAFv2::WebACL');
  const throughEdge = {
    ByteMatchStatement: {
      FieldToMatch: { SingleHeader: { Name: edgeHeaders.lock } },
      PositionalConstraint: 'EXACTLY',
      TextTransformations: [{ Type: 'NONE' }],
    },
  };
  expect(Rules).toMatchObject([
    {
      Action: { Block: {} },
      Statement: {
        RateBasedStatement: {
          AggregateKeyType: 'IP',
          EvaluationWindowSec: 300,
          Limit: 10_000,
          ScopeDownStatement: { NotStatement: { Statement: throughEdge } },
        },
      },
    },
    {
      Action: { Block: {} },
      Statement: {
        RateBasedStatement: {
          AggregateKeyType: 'FORWARDED_IP',
          EvaluationWindowSec: 300,
          Limit: 10_000,
          ForwardedIPConfig: { HeaderName: edgeHeaders.viewerIp, FallbackBehavior: 'NO_MATCH' },
          ScopeDownStatement: throughEdge,
        },
      },
    },
  ]);
});

test('alarms and canaries are those of a stage without an edge', () => {
  const alarmsOf = (of: typeof template) => Object.keys(resourcesOf(of, 'AWS::CloudWatch::Alarm')).sort();
  expect(alarmsOf(own)).toEqual(alarmsOf(synthesise('prod')));
});

test('names that are global in an account hold the stack and the region', () => {
  const named = (id: string, config?: string) => {
    const properties = resourcesOf(template)[id]?.Properties ?? {};
    return (config === undefined ? properties : (properties[config] as typeof properties))['Name'];
  };
  const names = [
    named('EdgeViewerRequest'),
    named('EdgeCachePolicy', 'CachePolicyConfig'),
    named('EdgeOriginRequestPolicy', 'OriginRequestPolicyConfig'),
  ];
  for (const name of names) expect(joined(name)).toBe('Test-edge-AWS::Region');
});
