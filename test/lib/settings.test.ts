/** Tests what the settings change in the template. The committed templates show the defaults alone. */

import { outputs } from '../../lambda/contract/outputs';
import {
  findProperties,
  getEnvironment,
  listResources,
  synthesise,
  type TemplateResource,
} from './synthesise';

const makeCertificateArn = (host: string) => `arn:aws:acm:us-east-1:123456789012:certificate/${host}`;
const makeDomain = (host: string) => ({
  name: `${host}.example.org`,
  certificateArn: makeCertificateArn(host),
});
const domains = { api: makeDomain('api'), images: makeDomain('images') };

/** Prod as one operator sets it, behind a distribution, with a model of the operator's and a second key. */
const edge = synthesise('prod', {
  domains,
  edge: true,
  keyVersion: 3,
  alarmEmail: 'ops@example.org',
  generator: { kind: 'openai-compatible', baseUrl: 'https://m.example/v1', model: 'm', apiKeyName: 'm' },
  slotBindings: { stock_a: 'unsplash', stock_b: 'wikimedia', stock_c: 'wikimedia' },
  site: { contact: 'ops@example.org' },
  plans: { pro: { perSecond: 5_000 } },
  warmWrites: 8_000,
  restoredTables: { apiKeys: 'keysAgain', quotaCounters: 'countersAgain' },
  generationsPerDay: 'off',
  firewallRequestsPer5Min: 77,
});
/** Prod as another one does. */
const regional = synthesise('prod', {
  domains,
  architecture: 'x86_64',
  contentCredentials: 'secret',
  generator: { kind: 'bedrock-stability', modelId: 'eu.a.model-v1:0', region: 'eu-west-1' },
  slotBindings: { stock_a: 'wikimedia' },
  firewallRequestsPer5Min: 'off',
  keepsData: false,
});

type Template = typeof edge;
const readText = (value: unknown) => JSON.stringify(value);
const getOutput = (template: Template, name: string) => readText(template.toJSON()['Outputs'][name]?.Value);
const getProperties = (template: Template, id: string) =>
  (listResources(template)[id] as TemplateResource).Properties;
const getPolicy = (template: Template, id: string) =>
  readText(getProperties(template, `${id}RoleDefaultPolicy`)['PolicyDocument']);
const getDistribution = (template: Template, id: string) =>
  getProperties(template, id)['DistributionConfig'] as Readonly<Record<string, unknown>>;

test.each([
  ['EdgeDistribution', 'api'],
  ['ImageDistribution', 'images'],
])('%s has the domain and the certificate of the setting domains.%s', (id, host) => {
  expect(getDistribution(edge, id)).toMatchObject({
    Aliases: [`${host}.example.org`],
    ViewerCertificate: {
      AcmCertificateArn: makeCertificateArn(host),
      MinimumProtocolVersion: 'TLSv1.2_2021',
      SslSupportMethod: 'sni-only',
    },
  });
});

test('the API has the domain itself if `edge` is off', () => {
  expect(findProperties(regional, 'AWS::ApiGateway::DomainName')).toEqual({
    DomainName: 'api.example.org',
    RegionalCertificateArn: makeCertificateArn('api'),
    EndpointConfiguration: { Types: ['REGIONAL'] },
    SecurityPolicy: 'TLS_1_2',
  });
  expect(Object.keys(listResources(edge, 'AWS::ApiGateway::DomainName'))).toEqual([]);
  expect(getOutput(regional, outputs.apiDomainTarget)).toContain('RegionalDomainName');
  expect(getOutput(edge, outputs.apiDomainTarget)).toBe('{"Fn::GetAtt":["EdgeDistribution","DomainName"]}');
});

test('outputs and answers name the domains of the operator', () => {
  for (const template of [edge, regional]) {
    expect(getOutput(template, outputs.apiUrl)).toBe('"https://api.example.org"');
    expect(getOutput(template, outputs.imageUrl)).toBe('"https://images.example.org"');
    expect(getOutput(template, outputs.tryIt)).toMatch(/^"https:\/\/api\.example\.org\/api\/image\//);
    expect(getEnvironment(template, 'ApiFunction')['IMAGE_BASE_URL']).toBe('https://images.example.org');
    for (const { Properties } of Object.values(listResources(template, 'AWS::ApiGateway::GatewayResponse')))
      expect(readText(Properties['ResponseTemplates'])).toContain('https://api.example.org/#');
  }
  expect(getEnvironment(edge, 'ApiFunction')['ROOT_URL']).toBe('https://api.example.org');
  expect(getEnvironment(regional, 'ApiFunction')['ROOT_URL']).toBeUndefined();
});

test('the distribution before the API sends requests by HTTPS with its proof', () => {
  const { DefaultCacheBehavior, Origins, CustomErrorResponses } = getDistribution(edge, 'EdgeDistribution');
  expect(DefaultCacheBehavior).toMatchObject({ ViewerProtocolPolicy: 'https-only' });
  const originRequests = { OriginReadTimeout: 30, OriginProtocolPolicy: 'https-only' };
  expect(Origins).toMatchObject([{ OriginPath: '/prod', CustomOriginConfig: originRequests }]);
  expect(readText(Origins)).toMatch(/OriginCustomHeaders.*x-distribution-proof.*AddressSecret/);
  // The statuses that CloudFront keeps by default: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html
  const statuses = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];
  const uncached = statuses.map((ErrorCode) => ({ ErrorCode, ErrorCachingMinTTL: 0 }));
  expect(CustomErrorResponses).toEqual(uncached);
  const policy = getProperties(edge, 'EdgeCachePolicy')['CachePolicyConfig'];
  expect(policy).toMatchObject({ MinTTL: 0, DefaultTTL: 0, MaxTTL: 86_400 });
});

test('the firewall tells requests through the distribution from direct ones by the proof', () => {
  const rules = findProperties(edge, 'AWS::WAFv2::WebACL')['Rules'] as readonly {
    Name: string;
    Action: object;
    Statement: { RateBasedStatement: Readonly<Record<string, unknown>> };
  }[];
  const ruleRows = rules.map(({ Name, Action, Statement: { RateBasedStatement: rate } }) => {
    const scope = readText(rate['ScopeDownStatement']);
    const isThrough = /"NotStatement":\{"Statement":\{"ByteMatch/.test(scope) ? 'direct' : 'through';
    const isBare = scope.includes('"OrStatement"') ? 'no credential' : 'any';
    expect(scope).toMatch(/"Name":"x-distribution-proof"\}\},"PositionalConstraint":"EXACTLY","SearchString/);
    return [Name, Object.keys(Action)[0], rate['Limit'], rate['EvaluationWindowSec'], isThrough, isBare];
  });
  expect(ruleRows).toEqual([
    ['TooManyFromOneViewer', 'Block', 77, 300, 'through', 'no credential'],
    // The highest tier's 5,000 a second, in five minutes.
    ['FarTooManyFromOneViewer', 'Block', 1_500_000, 300, 'through', 'any'],
    ['TooManyFromOneAddress', 'Block', 77, 300, 'direct', 'no credential'],
    ['FarTooManyFromOneAddress', 'Block', 1_500_000, 300, 'direct', 'any'],
  ]);
  for (const { Statement } of rules.slice(0, 2))
    expect(Statement.RateBasedStatement['ForwardedIPConfig']).toEqual({
      HeaderName: 'x-viewer-ip',
      FallbackBehavior: 'NO_MATCH',
    });
  expect(Object.keys(listResources(regional, 'AWS::WAFv2::WebACL'))).toEqual([]);
});

test('`plans.*.perSecond` changes the throttle of one tier only', () => {
  const getThrottle = (id: string) => getProperties(edge, `ImageApi${id}Plan`)['Throttle'];
  expect(getThrottle('anonymous')).toEqual({ RateLimit: 50, BurstLimit: 50 });
  expect(getThrottle('pro')).toEqual({ RateLimit: 5_000, BurstLimit: 5_000 });
  expect(getThrottle('enterprise')).toEqual({ RateLimit: 4_000, BurstLimit: 4_000 });
});

test('the key of `keyVersion` signs while the previous key stays trusted', () => {
  expect(findProperties(edge, 'AWS::CloudFront::KeyGroup')['KeyGroupConfig']).toMatchObject({
    Items: [{ Ref: 'ImagesSigningKeyV2' }, { Ref: 'ImagesSigningKeyV3' }],
  });
  expect(getEnvironment(edge, 'ApiFunction')).toMatchObject({
    SIGNING_KEY_PAIR_ID: { Ref: 'ImagesSigningKeyV3' },
    SIGNING_SECRET_ID: { Ref: 'SigningSecretV3' },
    CONTENT_CERTIFICATES: { 'Fn::GetAtt': ['Keys', 'Certificates'] },
  });
  expect(getEnvironment(edge, 'RendererFunction')['CONTENT_SECRET_ID']).toEqual({ Ref: 'ContentSecretV3' });
  expect(getProperties(edge, 'ImagesSigningKeyV2')['PublicKeyConfig']).toMatchObject({
    EncodedKey: { 'Fn::GetAtt': ['Keys', 'PublicKeyV2'] },
  });
  expect(getProperties(edge, 'Keys')).toMatchObject({
    UrlKeys: { V2: { Ref: 'SigningSecretV2' }, V3: { Ref: 'SigningSecretV3' } },
    ContentKeys: { V2: { Ref: 'ContentSecretV2' }, V3: { Ref: 'ContentSecretV3' } },
    HashedSecret: { Ref: 'AddressSecret' },
  });
  expect(getProperties(regional, 'Keys')).toMatchObject({ UrlKeys: { V1: { Ref: 'SigningSecretV1' } } });
  expect(getProperties(regional, 'Keys')).toMatchObject({ ContentKeys: {} });
  expect(getProperties(regional, 'Keys')).not.toHaveProperty('HashedSecret');
  const readable = getPolicy(edge, 'KeyMakerFunction').match(/(?<="Ref":")\w+Secret\w*/g);
  const keys = ['ContentSecretV2', 'ContentSecretV3', 'SigningSecretV2', 'SigningSecretV3'];
  expect([...new Set(readable)].sort()).toEqual(['AddressSecret', ...keys]);
});

test('`contentCredentials` secret signs AI images with the operator’s certificate', () => {
  expect(getEnvironment(regional, 'RendererFunction')['CONTENT_SECRET_ID']).toEqual({ Ref: 'ContentSecret' });
  expect(getEnvironment(regional, 'ApiFunction')).not.toHaveProperty('CONTENT_CERTIFICATES');
  expect(getPolicy(regional, 'RendererFunction')).toContain('"ContentSecret"');
});

test('only functions that need provider keys can read them', () => {
  const listReaders = (template: Template) =>
    ['Authorizer', 'Api', 'Renderer', 'Generator'].filter((name) => {
      const isNamed = 'PROVIDER_SECRET_ID' in getEnvironment(template, `${name}Function`);
      expect(getPolicy(template, `${name}Function`).includes('"ProviderSecret"')).toBe(isNamed);
      return isNamed;
    });
  expect(listReaders(edge)).toEqual(['Api', 'Renderer', 'Generator']);
  // Openverse takes a registered client in a search, and none in a download.
  expect(listReaders(synthesise('prod'))).toEqual(['Api']);
  expect(listReaders(regional)).toEqual([]);
});

test('the generator can invoke only the Bedrock model of its setting', () => {
  const policy = getPolicy(regional, 'GeneratorFunction');
  expect(policy).toMatch(/:bedrock:\*::foundation-model\/a\.model-v1:0"/);
  expect(policy).toMatch(
    /:bedrock:eu-west-1:",\{"Ref":"AWS::AccountId"\},":inference-profile\/eu\.a\.model-v1:0"/,
  );
  expect(policy).toContain('"aws:CalledViaLast":"bedrock.amazonaws.com"');
  expect(getPolicy(edge, 'GeneratorFunction')).not.toMatch(/bedrock|marketplace/);
});

test('every alarm notifies the operator’s address', () => {
  expect(findProperties(edge, 'AWS::SNS::Subscription')).toEqual({
    Endpoint: 'ops@example.org',
    Protocol: 'email',
    TopicArn: { Ref: 'AlarmTopic' },
  });
  // CodeDeploy alone watches the alarm of the canary.
  for (const [id, { Properties }] of Object.entries(listResources(edge, 'AWS::CloudWatch::Alarm')))
    expect([id, Properties['AlarmActions']]).toEqual([
      id,
      id === 'ApiFunctionCanaryErrors' ? undefined : [{ Ref: 'AlarmTopic' }],
    ]);
  expect(Object.keys(listResources(regional, 'AWS::SNS::Topic'))).toEqual([]);
});

test('`restoredTables` replaces tables in functions and outputs', () => {
  expect(getOutput(edge, outputs.apiKeysTable)).toBe('"keysAgain"');
  expect(getOutput(edge, outputs.imagesTable)).toBe('{"Ref":"ImagesTable"}');
  expect(getEnvironment(edge, 'GeneratorFunction')['QUOTA_COUNTERS_TABLE']).toBe('countersAgain');
  const api = getPolicy(edge, 'ApiFunction');
  expect(api).toMatch(/:table\/keysAgain"/);
  expect(api).toMatch(/:table\/keysAgain\/index\/\*"/);
  expect(api).toMatch(/:table\/countersAgain"/);
  expect(listResources(edge)['ApiKeysTable']).toBeDefined();
  // A table without indexes has no rights on any.
  expect(api).not.toContain('countersAgain/index');
  for (const id of ['Authorizer', 'Api', 'Generator'])
    expect(getPolicy(edge, `${id}Function`)).not.toMatch(/ApiKeysTable|QuotaCountersTable/);
});

test('`warmWrites` warms the table of counters only', () => {
  const warmed = Object.entries(listResources(edge, 'AWS::DynamoDB::GlobalTable')).filter(
    ([, { Properties }]) => readText(Properties).includes('"WriteUnitsPerSecond":8000'),
  );
  expect(warmed.map(([id]) => id)).toEqual(['QuotaCountersTable']);
});

test('all functions run on the processor of `architecture`', () => {
  for (const id of ['Authorizer', 'Api', 'Renderer', 'Generator', 'KeyMaker'])
    expect(getProperties(regional, `${id}Function`)['Architectures']).toEqual(['x86_64']);
});

test('without `keepsData`, no canary shifts traffic, and tables go with their stack', () => {
  expect(Object.keys(listResources(regional, 'AWS::Lambda::Alias'))).toEqual([]);
  expect(listResources(regional)['ApiKeysTable']?.DeletionPolicy).toBe('Delete');
});

test('providers get the contact of the operator, or else the URL of the images', () => {
  expect(getEnvironment(edge, 'RendererFunction')['CONTACT']).toBe('ops@example.org');
  expect(getEnvironment(edge, 'ApiFunction')['CONTACT']).toBe('ops@example.org');
  expect(getEnvironment(regional, 'RendererFunction')['CONTACT']).toBe('https://images.example.org');
});

test('outputs tell commands the bindings, the secret of keys, the plans and the limit of AI images', () => {
  expect(getOutput(edge, outputs.stockProviders)).toMatch(
    /stock_a[^}]+unsplash.*CONTACT[^}]+ops@example\.org.*PROVIDER_SECRET_ID.*ProviderSecret/,
  );
  expect(getOutput(regional, outputs.stockProviders)).not.toContain('PROVIDER_SECRET_ID');
  expect(getOutput(edge, outputs.generationsPerDay)).toBe('"off"');
  expect(getOutput(edge, outputs.plans)).toContain('perSecond');
});

test('the template for SAM declares variables, endpoints and credentials of a function', () => {
  const sam = synthesise('dev', { sam: 'true' });
  const names = Object.keys(getEnvironment(sam, 'AuthorizerFunction')).sort();
  expect(names).toEqual(
    [
      ...['API_KEYS_TABLE', 'EDGE_SHA256', 'METRIC_NAMESPACE', 'TIER_KEYS'],
      ...['DYNAMODB', 'LAMBDA', 'S3', 'SECRETS_MANAGER'].map((service) => `AWS_ENDPOINT_URL_${service}`),
      ...['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_REGION'],
    ].sort(),
  );
  expect(readText(getEnvironment(edge, 'AuthorizerFunction'))).not.toContain('AWS_');
});
