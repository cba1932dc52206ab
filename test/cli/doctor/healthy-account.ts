/** A healthy account and a healthy deployed service, for tests of one fault each. */

import type { Account } from '../../../cli/doctor/account';
import type { Send } from '../../../cli/doctor/stack-checks';
import type { StackFacts } from '../../../cli/service';
import { variables } from '../../../lambda/contract/environment';
import { outputs } from '../../../lambda/contract/outputs';

export const nowMs = Date.UTC(2026, 10, 21);
export const stackName = 'ImageRedirect-prod';
export const secretValue = 'must-never-be-printed';
export const key = 'pk_test_0123456789abcdef0123456789abcdef';

const apiUrl = 'https://api.example.org';
const imageUrl = 'https://images.example.org';
const topic = 'arn:aws:sns:us-east-1:123456789012:alarms';

export const bootstrapStack: StackFacts = { status: 'CREATE_COMPLETE', outputs: { BootstrapVersion: '28' } };

export const deployedStack: StackFacts = {
  status: 'UPDATE_COMPLETE',
  outputs: {
    [outputs.apiUrl]: apiUrl,
    [outputs.imageUrl]: imageUrl,
    [outputs.imageHost]: 'd1.cloudfront.net',
    [outputs.apiKeysTable]: 'keys',
    [outputs.quotaCountersTable]: 'counters',
    [outputs.cacheTable]: 'cache',
    [outputs.generationsPerDay]: '100',
    [outputs.stockProviders]: JSON.stringify({
      [variables.slotBindings]: JSON.stringify({
        stock_a: 'openverse',
        stock_b: 'wikimedia',
        stock_c: 'unsplash',
      }),
      [variables.providerSecretId]: 'provider-secret',
    }),
  },
};

const policy = {
  Statement: [
    { Effect: 'Deny', Principal: { AWS: '*' }, Action: 'sns:Publish' },
    { Effect: 'Allow', Principal: { Service: 'cloudwatch.amazonaws.com' }, Action: 'sns:Publish' },
  ],
};

type Answer<Member> = Member extends (...args: never[]) => Promise<infer Value> ? Value | Member : Member;

/** What an account answers, by the names of its methods: a value, or a method of its own. */
export type Answers = { readonly [Name in keyof Account]?: Answer<Account[Name]> };

/** Both before and after a deployment. */
export function healthyAccount(changes: Answers = {}): Account {
  const answers: Answers = {
    region: 'us-east-1',
    accountId: '123456789012',
    functionLimits: { concurrent: 1_000, unreserved: 1_000 },
    gatewayLogRole: undefined,
    modelLifecycle: 'active',
    modelAvailability: available,
    certificate: certificate,
    cdnNames: async () =>
      ['Other-images-us-east-1', `${stackName}-images-eu-west-1`].map((name) => ({
        kind: 'access control' as const,
        name,
      })),
    hasDistributions: true,
    gatewayThrottle: { perSecond: 10_000, burst: 5_000 },
    mayAssume: true,
    hasEventBus: true,
    hostedZone: { name: 'example.org.', records: [] },
    tableSafety: { isProtected: true, isRecoverable: true, expires: true },
    stack: async (name) => (name === 'CDKToolkit' ? bootstrapStack : undefined),
    resources: resources,
    alarms: async (names) => names.map((name) => ({ name, isEnabled: true, actions: [topic] })),
    topic: { policy: JSON.stringify(policy), confirmed: 1, pending: 0 },
    functionVariables: {
      [variables.generator]: JSON.stringify(openAiGenerator),
      [variables.providerSecretId]: 'provider-secret',
    },
    used: 10,
    secret: async (id) => ({
      isBeingDeleted: false,
      value:
        id === 'signing-secret'
          ? `-----BEGIN PRIVATE KEY-----\n${secretValue}`
          : JSON.stringify({ unsplash: secretValue, openai: secretValue }),
    }),
    ...changes,
  };
  const methods = Object.entries(answers).map(([name, answer]) => [
    name,
    name === 'region' || typeof answer === 'function' ? answer : async () => answer,
  ]);
  return Object.fromEntries(methods);
}

/** Base URL of the generator's server. */
export const generatorUrl = 'https://models.example.org/v1';

export const openAiGenerator = {
  kind: 'openai-compatible',
  baseUrl: generatorUrl,
  model: 'gpt-image-1',
  apiKeyName: 'openai',
} as const;

export const available = { isAuthorized: true, isInRegion: true, isEntitled: true, isAgreed: true };

export const certificate = {
  status: 'ISSUED',
  names: ['example.org', '*.example.org'],
  endsMs: nowMs + 90 * 86_400_000,
};

export const resources = [
  { type: 'AWS::Lambda::Function', logicalId: 'GeneratorFunction', physicalId: 'generator-function' },
  { type: 'AWS::CloudWatch::Alarm', logicalId: 'ThrottlesAlarm', physicalId: 'throttles' },
  { type: 'AWS::CloudWatch::Alarm', logicalId: 'CanaryErrors', physicalId: 'canary' },
  { type: 'AWS::SecretsManager::Secret', logicalId: 'SigningSecretV1', physicalId: 'signing-secret' },
  { type: 'AWS::SecretsManager::Secret', logicalId: 'ProviderSecret', physicalId: 'provider-secret' },
];

export function healthyStack(changes: Answers = {}): Account {
  return healthyAccount({ stack: deployedStack, ...changes });
}

export const signedUrl = `${imageUrl}/private/a/b.jpg?Expires=1800000000&Signature=${secretValue}`;

/** @param faulty answers for some URLs, before the healthy ones */
export function healthyService(faulty: (url: string) => Response | undefined = () => undefined): Send {
  return async (url, headers) => {
    const answer = faulty(url);
    if (answer) return answer;
    if (url.startsWith(generatorUrl)) {
      const isKnown = headers?.['Authorization'] === `Bearer ${secretValue}`;
      return isKnown
        ? Response.json({ data: [{ id: 'dall-e-3' }, { id: 'gpt-image-1' }] })
        : new Response(null, { status: 401 });
    }
    if (url.endsWith('/api/usage')) return Response.json({ generations: { limit: 1_000, used: 1 } });
    if (url === signedUrl) return new Response('image');
    if (url.startsWith(imageUrl)) return new Response(null, { status: 403 });
    const provider = new URL(url).searchParams.get('provider') ?? '';
    const Location = provider === 'ai' ? signedUrl : `${imageUrl}/stock/a.jpg`;
    return new Response(null, { status: 302, headers: { Location, 'X-Image-Source': provider } });
  };
}

/**
 * What a finding's outcome, fix and text have to match.
 * @param found such as `failure: cdk deploy | no tables`, with a part of the fix and of what was found
 */
export function verdictOf(found: string): readonly unknown[] {
  const [, outcome, fix, text = ''] = /^(\w+): (.*?)(?: \| (.*))?$/s.exec(found) ?? [];
  return [outcome, expect.stringContaining(fix ?? ''), expect.stringContaining(text)];
}
