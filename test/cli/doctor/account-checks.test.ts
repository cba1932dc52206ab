/** Before a deployment: a healthy account passes, and each fault alone is found with what fixes it. */

import type { Account } from '../../../cli/doctor/account';
import { examineAccount } from '../../../cli/doctor/examine';
import { stageOf } from '../../../lib/stage';
import {
  available,
  bootstrapStack,
  certificate,
  deployedStack,
  healthyAccount,
  nowMs,
  stackName,
} from './healthy-account';

const arnIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/1`;
const domains = {
  apiDomain: { name: 'api.example.org', certificateArn: arnIn('us-east-1') },
  imageDomain: { name: 'images.example.org', certificateArn: arnIn('us-east-1') },
};

const examine = (changes: Partial<Account>, settings: Readonly<Record<string, unknown>> = {}) =>
  examineAccount(healthyAccount(changes), stageOf('prod', { ...domains, ...settings }), nowMs);

/** What the account answers where the stack exists already. */
const existing = (status: string, outputs = deployedStack.outputs): Partial<Account> => ({
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
      'stack name',
      'CloudFront names',
    ].map((check) => `${check}: pass`),
  );
});

test('an account that holds the stack passes too, whatever names the stack has taken', async () => {
  const findings = await examine({
    ...existing('UPDATE_COMPLETE'),
    cdnNames: async () => [`${stackName}-images-us-east-1`],
    gatewayLogRole: async () => `arn:aws:iam::123456789012:role/${stackName}-ImageApiCloudWatchRole-1`,
  });
  expect(findings.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
});

type Case = readonly [
  fault: string,
  changes: Partial<Account>,
  check: string,
  outcome: 'warning' | 'failure',
  fix: RegExp,
  settings?: Readonly<Record<string, unknown>>,
];
const named = (name: string) => Object.assign(new Error('no'), { name });
const cases: readonly Case[] = [
  ['no region', { region: undefined }, 'region', 'failure', /AWS_REGION/],
  [
    'credentials that are over',
    { accountId: () => Promise.reject(named('ExpiredToken')) },
    'credentials',
    'failure',
    /aws sso login/,
  ],
  [
    'no bootstrap',
    { stack: async () => undefined },
    'bootstrap',
    'failure',
    /cdk bootstrap aws:\/\/123456789012\/us-east-1/,
  ],
  [
    'an old bootstrap',
    {
      stack: async (name) =>
        name === 'CDKToolkit' ? { ...bootstrapStack, outputs: { BootstrapVersion: '5' } } : undefined,
    },
    'bootstrap',
    'failure',
    /cdk bootstrap/,
  ],
  [
    'ten executions',
    { functionLimits: async () => ({ concurrent: 10, unreserved: 10 }) },
    'function concurrency',
    'warning',
    /L-B99A9384/,
  ],
  [
    'more reserved than the account can spare',
    { functionLimits: async () => ({ concurrent: 150, unreserved: 150 }) },
    'function concurrency',
    'failure',
    /generatorConcurrency/,
    { generatorConcurrency: 51 },
  ],
  [
    "another API's log role",
    { gatewayLogRole: async () => 'arn:aws:iam::123456789012:role/theirs' },
    'API Gateway log role',
    'warning',
    /setsApiGatewayLogRole=false/,
  ],
  [
    'no log role where none is set',
    {},
    'API Gateway log role',
    'failure',
    /setsApiGatewayLogRole=true/,
    { setsApiGatewayLogRole: false },
  ],
  [
    'a legacy model',
    { modelLifecycle: async () => 'legacy' },
    'model lifecycle',
    'warning',
    /generator\.modelId/,
  ],
  [
    'a retired model',
    { modelLifecycle: async () => 'end_of_life' },
    'model lifecycle',
    'failure',
    /generator\.modelId/,
  ],
  [
    'a model of another region',
    { modelLifecycle: async () => 'absent' },
    'model lifecycle',
    'failure',
    /list-foundation-models/,
  ],
  [
    'Bedrock that does not answer',
    { modelLifecycle: async () => 'unknown' },
    'model lifecycle',
    'warning',
    /bedrock:GetFoundationModel/,
  ],
  [
    'a model that is not in the region',
    { modelAvailability: async () => ({ ...available, isInRegion: false }) },
    'model access',
    'failure',
    /generator\.region/,
  ],
  [
    'an account that may not use the model',
    { modelAvailability: async () => ({ ...available, isAuthorized: false }) },
    'model access',
    'failure',
    /bedrock:InvokeModel/,
  ],
  [
    'no agreement with the seller of the model',
    { modelAvailability: async () => ({ ...available, isAgreed: false }) },
    'model access',
    'warning',
    /invoke-model/,
  ],
  [
    'a provider that will need a key',
    {},
    'provider keys',
    'warning',
    /put-secret-value/,
    { slotBindings: { stock_a: 'openverse', stock_b: 'unsplash', stock_c: 'wikimedia' } },
  ],
  [
    'no certificate',
    { certificate: async () => undefined },
    'API certificate',
    'failure',
    /request-certificate/,
  ],
  [
    'a certificate of another region',
    {},
    'image certificate',
    'failure',
    /--region us-east-1/,
    { imageDomain: { ...domains.imageDomain, certificateArn: arnIn('eu-west-1') } },
  ],
  [
    'a certificate of another name',
    { certificate: async () => ({ ...certificate, names: ['*.www.example.org', 'example.org'] }) },
    'API certificate',
    'failure',
    /request-certificate/,
  ],
  [
    'a certificate that waits for its record',
    { certificate: async () => ({ ...certificate, status: 'PENDING_VALIDATION' }) },
    'API certificate',
    'failure',
    /describe-certificate/,
  ],
  [
    'a certificate that has ended',
    { certificate: async () => ({ ...certificate, status: 'EXPIRED' }) },
    'API certificate',
    'failure',
    /request-certificate/,
  ],
  [
    'a certificate that ends soon',
    { certificate: async () => ({ ...certificate, endsMs: nowMs + 86_400_000 }) },
    'API certificate',
    'warning',
    /request-certificate/,
  ],
  ['a failed first deployment', existing('ROLLBACK_COMPLETE', {}), 'stack name', 'failure', /delete-stack/],
  ['another stack of that name', existing('CREATE_COMPLETE', {}), 'stack name', 'failure', /installation=/],
  [
    'a stuck rollback',
    existing('UPDATE_ROLLBACK_FAILED'),
    'stack name',
    'failure',
    /continue-update-rollback/,
  ],
  ['a deployment that runs', existing('UPDATE_IN_PROGRESS'), 'stack name', 'warning', /Wait/],
  [
    'CloudFront names that a deleted stack has left',
    { cdnNames: async () => [`${stackName}-signing-us-east-1`] },
    'CloudFront names',
    'failure',
    /installation=/,
  ],
  [
    'a permission that is missing',
    { functionLimits: () => Promise.reject(named('AccessDeniedException')) },
    'function concurrency',
    'warning',
    /Allow/,
  ],
];

const rows = cases.map(([fault, changes, check, outcome, fix, settings = {}]) => {
  return { fault, changes, check, outcome, fix, settings };
});

test.each(rows)('$fault is found', async ({ changes, check, outcome, fix, settings }) => {
  const findings = await examine(changes, settings);
  const found = findings.find((each) => each.check === check);
  expect(found).toMatchObject({ outcome, fix: expect.stringMatching(fix) });
  // One fault spoils no other check, except that a missing certificate is missing for both domains.
  const others = findings.filter((each) => each.outcome !== 'pass' && !each.check.endsWith('certificate'));
  expect(others.filter((each) => each.check !== check)).toEqual([]);
});
