/** Before a deployment: a healthy account passes, and each fault alone is found with what fixes it. */

import type { Account } from '../../../cli/doctor/account';
import { examineAccount } from '../../../cli/doctor/examine';
import { stageOf } from '../../../lib/stage';
import {
  type Answers,
  available,
  bootstrapStack,
  certificate,
  deployedStack,
  healthyAccount,
  nowMs,
  stackName,
  verdictOf,
} from './healthy-account';

const arnIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/1`;
const domains = {
  apiDomain: { name: 'api.example.org', certificateArn: arnIn('us-east-1') },
  imageDomain: { name: 'images.example.org', certificateArn: arnIn('us-east-1') },
};

const examine = (changes: Answers, settings: Readonly<Record<string, unknown>> = {}) =>
  examineAccount(healthyAccount(changes), stageOf('prod', { ...domains, ...settings }), nowMs);

/** What the account answers where the stack exists already. */
const existing = (status: string, outputs = deployedStack.outputs): Answers => ({
  stack: async (name) => (name === 'CDKToolkit' ? bootstrapStack : { status, outputs }),
});

test('a healthy account passes every check', async () => {
  const findings = await examine({});
  expect(findings.map(({ check, outcome }) => `${check}: ${outcome}`)).toEqual(
    [
      'region',
      'credentials',
      'bootstrap',
      'function concurrency',
      'API Gateway log role',
      'model lifecycle',
      'model access',
      'provider keys',
      'API certificate',
      'image certificate',
      'deploy role',
      'API throttle',
      'event bus',
      'CloudFront account',
      'stack name',
      'CloudFront names',
      'CloudFront quotas',
    ].map((check) => `${check}: pass`),
  );
});

test('an account that holds the stack passes too, whatever names the stack has taken', async () => {
  const findings = await examine({
    ...existing('UPDATE_COMPLETE'),
    cdnNames: [{ kind: 'access control', name: `${stackName}-images-us-east-1` }],
    gatewayLogRole: `arn:aws:iam::123456789012:role/${stackName}-ImageApiCloudWatchRole-1`,
  });
  expect(findings.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
});

const apiDomain = {
  name: 'a.example.org',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
  hostedZone: { id: 'Z1', name: 'example.org' },
};

type CdnKind = Awaited<ReturnType<Account['cdnNames']>>[number]['kind'];
const cdnItems = (count: number, kind: CdnKind): Answers => ({
  cdnNames: Array.from({ length: count }, () => ({ kind, name: 'a' })),
});
const publicKeys = (count: number) => cdnItems(count, 'public key');
/** ACM renews a certificate 60 days before its end, and by half of them it has. */
const soonMs = 30 * 86_400_000;

/** One less of each is found below. */
const enough: readonly (readonly [string, string, Answers, Readonly<Record<string, unknown>>?])[] = [
  [
    'bootstrap',
    'the oldest one that the template takes',
    {
      stack: async (name) =>
        name === 'CDKToolkit' ? { ...bootstrapStack, outputs: { BootstrapVersion: '6' } } : undefined,
    },
  ],
  [
    'function concurrency',
    'as many as are reserved beside what Lambda keeps',
    { functionLimits: { concurrent: 150, unreserved: 150 } },
    { generatorConcurrency: 20, rendererConcurrency: 20, authorizerConcurrency: 10 },
  ],
  [
    'function concurrency',
    'a stack that has its reservation',
    { ...existing('UPDATE_COMPLETE'), functionLimits: { concurrent: 150, unreserved: 100 } },
    { generatorConcurrency: 50 },
  ],
  [
    'function concurrency',
    'as many as are reserved of fewer than a hundred',
    { functionLimits: { concurrent: 99, unreserved: 20 } },
    { generatorConcurrency: 10 },
  ],
  [
    'function concurrency',
    'what others have reserved, where the settings reserve nothing',
    { functionLimits: { concurrent: 1_000, unreserved: 99 } },
  ],
  ['function concurrency', 'fifty executions', { functionLimits: { concurrent: 50, unreserved: 50 } }],
  ['API certificate', 'with edge one in us-east-1', { region: 'eu-west-1' }, { edge: true, apiDomain }],
  ['API certificate', 'one for 30 days more', { certificate: { ...certificate, endsMs: nowMs + soonMs } }],
  ['CloudFront quotas', 'a public key left', publicKeys(9)],
  ['CloudFront quotas', 'a key group left', cdnItems(9, 'key group')],
  ['CloudFront quotas', 'a header policy left', cdnItems(19, 'header policy')],
  ['CloudFront quotas', 'no cache policy, without edge', cdnItems(21, 'cache policy')],
  [
    'CloudFront quotas',
    'what the stack itself has taken',
    { ...existing('UPDATE_COMPLETE'), ...publicKeys(10) },
  ],
  ['CloudFront quotas', 'a cache policy left', cdnItems(19, 'cache policy'), { edge: true }],
  ['CloudFront quotas', 'a request policy left', cdnItems(19, 'request policy'), { edge: true }],
  [
    'provider keys',
    'a stack that has its secret',
    existing('UPDATE_COMPLETE'),
    { slotBindings: { stock_a: 'openverse', stock_b: 'unsplash', stock_c: 'wikimedia' } },
  ],
  [
    'API DNS record',
    'the record of the stack itself',
    { ...existing('UPDATE_COMPLETE'), hostedZone: { name: 'example.org.', records: ['A'] } },
    { apiDomain },
  ],
  [
    'API Gateway log role',
    'that of another API, where the settings leave it',
    { gatewayLogRole: 'arn:aws:iam::123456789012:role/theirs' },
    { setsApiGatewayLogRole: false },
  ],
  [
    'CloudFront names',
    'what is named like the stack without being its',
    {
      cdnNames: [
        { kind: 'function', name: `${stackName}2-edge-us-east-1` },
        { kind: 'function', name: `${stackName}-edge-us-east-1b` },
      ],
    },
  ],
  [
    'API certificate',
    'one of the very name',
    { certificate: { ...certificate, names: ['api.example.org', 'images.example.org'] } },
  ],
  ['API certificate', 'one without an end', { certificate: { status: 'ISSUED', names: ['*.example.org'] } }],
  ['stack name', 'a stack that was rolled back once', existing('UPDATE_ROLLBACK_COMPLETE')],
  ['API throttle', 'just what floodLimits admit', { gatewayThrottle: { perSecond: 5_000, burst: 5_000 } }],
  [
    'API DNS record',
    'a name with a text record alone',
    { hostedZone: { name: 'example.org.', records: ['TXT'] } },
    { apiDomain },
  ],
];

test.each(enough.map(([check, about, changes, settings = {}]) => ({ check, about, changes, settings })))(
  '$check: $about is enough',
  async ({ check, changes, settings }) => {
    const findings = await examine(changes, settings);
    expect(findings.find((each) => each.check === check)).toMatchObject({ outcome: 'pass' });
  },
);

/** What is found, as the outcome and a part of the fix, where one thing of a healthy account is changed. */
type Case = readonly [changes: Answers, found: string, settings?: Readonly<Record<string, unknown>>];
const named = (name: string) => Object.assign(new Error('no'), { name });
const cases: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  region: { 'no region': [{ region: undefined }, 'failure: AWS_REGION'] },
  credentials: {
    'credentials that are over': [
      { accountId: () => Promise.reject(named('ExpiredToken')) },
      'failure: aws sso login',
    ],
  },
  bootstrap: {
    'no bootstrap': [
      { stack: undefined },
      'failure: cdk bootstrap aws://123456789012/us-east-1 | us-east-1 is not bootstrapped',
    ],
    'an old bootstrap': [
      {
        stack: async (name) =>
          name === 'CDKToolkit' ? { ...bootstrapStack, outputs: { BootstrapVersion: '5' } } : undefined,
      },
      'failure: cdk bootstrap | version 5 is older than 6',
    ],
  },
  'function concurrency': {
    'ten executions': [
      { functionLimits: { concurrent: 10, unreserved: 10 } },
      'warning: L-B99A9384 | 10 executions at once; production needs 50. In half a minute, 2 requests',
    ],
    'more reserved than the account can spare': [
      { functionLimits: { concurrent: 150, unreserved: 150 } },
      'failure: generatorConcurrency | reserve 51 executions of 150, of which Lambda keeps 100 unreserved',
      { generatorConcurrency: 20, rendererConcurrency: 20, authorizerConcurrency: 11 },
    ],
    'a hundred executions, all of which Lambda keeps': [
      { functionLimits: { concurrent: 100, unreserved: 100 } },
      'failure: generatorConcurrency | reserve 10 executions of 100, of which Lambda keeps 100 unreserved',
      { generatorConcurrency: 10 },
    ],
    'forty-nine executions': [
      { functionLimits: { concurrent: 49, unreserved: 49 } },
      'warning: --desired-value 1000',
    ],
    'a permission that is missing': [
      { functionLimits: () => Promise.reject(named('AccessDeniedException')) },
      'warning: Allow',
    ],
  },
  'API Gateway log role': {
    "another API's log role": [
      { gatewayLogRole: 'arn:aws:iam::123456789012:role/theirs' },
      'warning: setsApiGatewayLogRole=false | arn:aws:iam::123456789012:role/theirs is set',
    ],
    'no log role where none is set': [
      {},
      'failure: setsApiGatewayLogRole=true',
      { setsApiGatewayLogRole: false },
    ],
  },
  'model lifecycle': {
    'a legacy model': [{ modelLifecycle: 'legacy' }, 'warning: generator.modelId | is legacy'],
    'a retired model': [{ modelLifecycle: 'end_of_life' }, 'failure: generator.modelId'],
    'a model of another region': [{ modelLifecycle: 'absent' }, 'failure: list-foundation-models'],
    'Bedrock that does not answer': [{ modelLifecycle: 'unknown' }, 'warning: bedrock:GetFoundationModel'],
  },
  'model access': {
    'a model that is not in the region': [
      { modelAvailability: { ...available, isInRegion: false } },
      'failure: generator.region',
    ],
    'an account that is not entitled to the model': [
      { modelAvailability: { ...available, isEntitled: false } },
      'warning: invoke-model | no agreement',
    ],
    'an account that may not use the model': [
      { modelAvailability: { ...available, isAuthorized: false } },
      'failure: bedrock:InvokeModel',
    ],
    'no agreement with the seller of the model': [
      { modelAvailability: { ...available, isAgreed: false } },
      'warning: invoke-model',
    ],
  },
  'provider keys': {
    'a provider that will need a key': [
      {},
      'warning: put-secret-value',
      { slotBindings: { stock_a: 'openverse', stock_b: 'unsplash', stock_c: 'wikimedia' } },
    ],
    'two providers that will need keys': [
      {},
      `warning: '{"pexels":"KEY","unsplash":"KEY"}' | pexels, unsplash need a key`,
      { slotBindings: { stock_a: 'pexels', stock_b: 'unsplash', stock_c: 'pexels' } },
    ],
    'a generator that will need a key': [
      {},
      `warning: '{"eye":"KEY"}'`,
      {
        generator: {
          kind: 'openai-compatible',
          baseUrl: 'https://models.example.org/v1',
          model: 'm',
          apiKeyName: 'eye',
        },
      },
    ],
  },
  'API certificate': {
    'a certificate of another region': [
      {},
      'failure: --region us-east-1 --domain-name api.example.org | is not in us-east-1',
      { apiDomain: { ...domains.apiDomain, certificateArn: arnIn('eu-west-1') } },
    ],
    'no certificate': [
      { certificate: undefined },
      'failure: request-certificate | there is no certificate arn:aws:acm',
    ],
    'a certificate of another name': [
      { certificate: { ...certificate, names: ['*.www.example.org', 'example.org'] } },
      'failure: request-certificate | names *.www.example.org, example.org, not api.example.org',
    ],
    'a certificate whose wildcard is two labels away': [
      { certificate: { ...certificate, names: ['*.org'] } },
      'failure: request-certificate',
    ],
    'a certificate that waits for its record': [
      { certificate: { ...certificate, status: 'PENDING_VALIDATION' } },
      'failure: describe-certificate',
    ],
    'a certificate that has ended': [
      { certificate: { ...certificate, status: 'EXPIRED' } },
      'failure: request-certificate | the certificate of api.example.org is EXPIRED',
    ],
    'a certificate that ends soon': [
      { certificate: { ...certificate, endsMs: nowMs + soonMs - 1 } },
      'warning: request-certificate | ends on 2026-12-20',
    ],
  },
  'image certificate': {
    'a certificate that is for the API alone': [
      { certificate: { ...certificate, names: ['api.example.org'] } },
      'failure: --region us-east-1 --domain-name images.example.org',
    ],
  },
  'stack name': {
    'a failed first deployment': [
      existing('ROLLBACK_COMPLETE', {}),
      'failure: delete-stack | is ROLLBACK_COMPLETE',
    ],
    ...Object.fromEntries(
      ['ROLLBACK_FAILED', 'CREATE_FAILED', 'REVIEW_IN_PROGRESS'].map((status) => [
        `a first deployment in ${status}`,
        [existing(status, {}), 'failure: no-enable-termination-protection'] as const,
      ]),
    ),
    'another stack of that name': [
      existing('CREATE_COMPLETE', {}),
      'failure: installation= | is another stack of this account',
    ],
    'a stuck rollback': [existing('UPDATE_ROLLBACK_FAILED'), 'failure: continue-update-rollback'],
    'a deployment that runs': [existing('UPDATE_IN_PROGRESS'), 'warning: Wait | is UPDATE_IN_PROGRESS'],
  },
  'CloudFront names': {
    'CloudFront names that a deleted stack has left': [
      {
        cdnNames: (['function', 'cache policy'] as const).map((kind) => ({
          kind,
          name: `${stackName}-edge-us-east-1`,
        })),
      },
      `failure: installation= | ${stackName}-edge-us-east-1 exist without the stack`,
    ],
  },
  'CloudFront quotas': {
    'an account that has no public key left': [
      publicKeys(10),
      'warning: service-quotas | by default: public key',
    ],
    'an account that has no key group left': [cdnItems(10, 'key group'), 'warning: service-quotas'],
    'an account that has no header policy left': [cdnItems(20, 'header policy'), 'warning: service-quotas'],
    'an account that has no cache policy left for edge': [
      cdnItems(20, 'cache policy'),
      'warning: service-quotas',
      { edge: true },
    ],
    'an account that has no request policy left for edge': [
      cdnItems(20, 'request policy'),
      'warning: service-quotas',
      { edge: true },
    ],
    'an account with one public key left, where two are trusted': [
      publicKeys(9),
      'warning: service-quotas',
      { signingKey: { version: 2, trusted: [1, 2] } },
    ],
  },
  'CloudFront account': {
    'an account without a distribution': [{ hasDistributions: false }, 'warning: AWS Support'],
  },
  'deploy role': { 'a role that may not be assumed': [{ mayAssume: false }, 'failure: sts:AssumeRole'] },
  'API throttle': {
    'an account of few requests': [
      { gatewayThrottle: { perSecond: 4_999, burst: 5_000 } },
      'warning: L-8A5B8E43 | 4999 requests a second and 5000 at once',
    ],
    'an account of few requests at once': [
      { gatewayThrottle: { perSecond: 10_000, burst: 4_999 } },
      'warning: L-8A5B8E43',
    ],
  },
  'event bus': {
    'a bus that is not there': [
      { hasEventBus: false },
      'failure: create-event-bus --name ours | no event bus ours',
      { eventBus: 'ours' },
    ],
  },
  'API DNS record': {
    'a zone of somebody else': [
      { hostedZone: undefined },
      'failure: list-hosted-zones | the zone Z1 is not of this account',
      { apiDomain },
    ],
    'a zone whose name the settings do not have': [
      { hostedZone: { name: 'example.org.', records: [] } },
      'failure: list-hosted-zones | Z1 is the zone of example.org., not of a.example.org',
      { apiDomain: { ...apiDomain, hostedZone: { id: 'Z1', name: 'a.example.org' } } },
    ],
    'the zone of another name': [
      { hostedZone: { name: 'example.com.', records: [] } },
      'failure: list-hosted-zones',
      { apiDomain },
    ],
    'a record that is there already': [
      { hostedZone: { name: 'example.org.', records: ['CNAME', 'TXT'] } },
      'failure: list-resource-record-sets --hosted-zone-id Z1 | a.example.org has a record already: CNAME',
      { apiDomain },
    ],
  },
  'image DNS record': {
    'a record of images that is there already': [
      { hostedZone: { name: 'example.org.', records: ['AAAA'] } },
      'failure: list-resource-record-sets',
      { imageDomain: apiDomain },
    ],
  },
};

const rows = Object.entries(cases).flatMap(([check, own]) =>
  Object.entries(own).map(([fault, [changes, found, settings = {}]]) => ({
    fault,
    changes,
    check,
    found,
    settings,
  })),
);

test.each(rows)('$fault is found', async ({ changes, check, found, settings }) => {
  const findings = await examine(changes, settings);
  const spoilt = findings.filter(({ outcome }) => outcome !== 'pass');
  const own = spoilt.find((each) => each.check === check);
  expect([own?.outcome, own?.fix, own?.found]).toEqual(verdictOf(found));
  // One fault spoils no other check, except that a missing certificate is missing for both domains.
  const others = spoilt.filter((each) => each.check !== check && !each.check.endsWith('certificate'));
  expect(others).toEqual([]);
});
