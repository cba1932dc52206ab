/** Each setting changed in a deployed stage, there and back: nothing that holds data goes, and no name is made twice. */

import type { StageSettings } from '../../lib/stage-settings';
import { everythingOn } from '../../tools/review/everything';
import { type ResourceChange, whatChanges } from '../../tools/review/what-changes';
import { resourcesOf, synthesise } from './synthesise';

const { apiDomain, imageDomain } = everythingOn;
const firewall = { firewallRequestsPer5Min: 'off' } as const;
const openAi = {
  kind: 'openai-compatible',
  baseUrl: 'https://images.example.org/v1',
  model: 'm',
  apiKeyName: 'k',
};

/** Settings in the order in which a stage of production has them; the first follows from the defaults, and back. */
const walks: Readonly<
  Record<keyof StageSettings, readonly Readonly<Partial<Record<keyof StageSettings, unknown>>>[]>
> = {
  // For no deployment.
  awsEndpointUrl: [],
  // Another stack, with other names: the one before stays.
  installation: [],
  architecture: [{ architecture: 'x86_64' }],
  slotBindings: [{ slotBindings: everythingOn.slotBindings }],
  providerEndpoints: [{ providerEndpoints: { unsplash: 'https://example.org' } }],
  providerQuotas: [{ providerQuotas: everythingOn.providerQuotas }],
  aiLabel: [{ aiLabel: 'corner' }],
  imageDelivery: [{ imageDelivery: 'own' }],
  generator: [{ generator: { kind: 'sandbox' } }, { generator: openAi }],
  generatorConcurrency: [{ generatorConcurrency: 5 }],
  rendererConcurrency: [{ rendererConcurrency: 5 }],
  authorizerConcurrency: [{ authorizerConcurrency: 5 }],
  waitingRequestsMax: [{ waitingRequestsMax: 5 }],
  generationsPerDay: [{ generationsPerDay: 'off' }],
  testKeysGenerate: [{ testKeysGenerate: true }],
  contact: [{ contact: 'ops@example.org' }],
  plans: [{ plans: { free: { monthlyRequests: 5 } } }],
  redirectMaxAgeS: [{ redirectMaxAgeS: 60 }],
  signedCharge: [{ signedCharge: 'request' }],
  judge: [{ judge: { kind: 'bedrock', modelId: 'amazon.nova-lite-v1:0', region: 'us-east-1' } }],
  rewriter: [{ rewriter: { kind: 'openai-compatible', baseUrl: 'https://models.example/v1', model: 'm' } }],
  judgementsPerDay: [{ judgementsPerDay: 'off' }],
  libraryFirst: [{ libraryFirst: 'off' }],
  throttles: [
    {
      throttles: Object.fromEntries(
        ['anonymous', 'test', 'free', 'pro', 'business', 'enterprise'].map((tier) => [
          tier,
          { perSecond: 1, burst: 1 },
        ]),
      ),
    },
  ],
  floodLimits: [
    { floodLimits: { everything: { perSecond: 9, burst: 9 }, perOpenMethod: { perSecond: 9, burst: 9 } } },
  ],
  signingKey: [{ signingKey: { version: 1, trusted: [1, 2] } }, { signingKey: { version: 2 } }],
  contentCredentials: [{ contentCredentials: 'secret' }, { contentCredentials: 'off' }],
  contentKey: [{ contentKey: { version: 2, trusted: [1, 2] } }],
  logRetentionDays: [{ logRetentionDays: 30 }],
  keepsData: [{ keepsData: false }],
  canary: [{ canary: false }],
  eventBus: [{ eventBus: 'accounts' }],
  alarmEmail: [{ alarmEmail: 'ops@example.org' }],
  monthlyBudgetUsd: [{ alarmEmail: 'ops@example.org', monthlyBudgetUsd: 100 }],
  firewallRequestsPer5Min: [firewall, { firewallRequestsPer5Min: 100 }, { ...firewall, edge: true }],
  generationsPerHourAlarm: [{ generationsPerHourAlarm: 5 }],
  edge: [{ apiDomain }, { apiDomain, edge: true }],
  originLock: [
    { edge: true },
    { edge: true, originLock: { version: 1, trusted: [1, 2] } },
    { edge: true, originLock: { version: 2 } },
  ],
  setsApiGatewayLogRole: [{ setsApiGatewayLogRole: false }],
  apiDomain: [{ apiDomain }],
  imageDomain: [{ imageDomain }, { imageDomain: { ...imageDomain, hostedZone: undefined } }],
};

const holdsData = /^AWS::(DynamoDB::GlobalTable|S3::Bucket|SecretsManager::Secret)$/;
const isNamed =
  /^AWS::(Route53::RecordSet|CloudFront::|CloudWatch::Alarm|ApiGateway::DomainName|Events::Rule|SNS::Topic)/;

/** Names that a resource takes in its account, with what it refers to; none where CloudFormation names it. */
function nameOf({ Type, Properties = {} }: ReturnType<typeof resourcesOf>[string]): string | undefined {
  if (!isNamed.test(Type)) return undefined;
  const config = Object.values(Properties).find((value) => (value as { Name?: unknown } | null)?.Name) ?? {};
  const {
    Name,
    AlarmName,
    DomainName,
    Type: kind,
  } = { ...Properties, ...(Properties['Name'] ? {} : config) } as Record<string, unknown>;
  const name = Name ?? AlarmName ?? DomainName;
  return name === undefined ? undefined : JSON.stringify([Type, name, kind]);
}

type Named = readonly (readonly [string, string])[];
const namesIn = (template: ReturnType<typeof synthesise>): Named =>
  Object.entries(resourcesOf(template)).flatMap(([id, resource]) => {
    const name = nameOf(resource);
    return name === undefined ? [] : [[name, id] as const];
  });

const fatal: readonly ResourceChange['effect'][] = ['destroyed', 'replaced', 'perhaps replaced'];

describe.each(Object.entries(walks).filter(([, steps]) => steps.length > 0))('%s', (_, steps) => {
  const templates = [{}, ...steps].map((settings) => synthesise('prod', { ...settings }));
  const pairs = templates.slice(1).flatMap((template, i) => {
    const earlier = templates[i] as typeof template;
    return [
      [earlier, template],
      [template, earlier],
    ].map(([before = earlier, after = template]) => ({
      before,
      after,
      changes: whatChanges(before.toJSON(), after.toJSON()),
    }));
  });

  test('nothing that holds data is lost', () => {
    for (const { changes } of pairs)
      expect(changes.filter(({ type, effect }) => holdsData.test(type) && fatal.includes(effect))).toEqual(
        [],
      );
  });

  test('no name is made while it exists', () => {
    for (const { before, after, changes } of pairs) {
      const there = new Map(namesIn(before));
      const replaced = changes
        .filter(({ effect }) => effect === 'replaced')
        .map(({ logicalId }) => logicalId);
      const taken = namesIn(after).filter(
        ([name, id]) => there.has(name) && (there.get(name) !== id || replaced.includes(id)),
      );
      expect(taken).toEqual([]);
    }
  });

  test('the key that signs before a deployment is trusted after it', () => {
    for (const { before, after } of pairs) {
      const signs = (of: typeof before) =>
        JSON.stringify(resourcesOf(of)['RedirectFunction']?.Properties['Environment']).match(
          /SIGNING_KEY_PAIR_ID":\{"Ref":"(\w+)"/,
        )?.[1];
      expect(signs(before)).toMatch(/^SigningPublicKeyV\d$/);
      expect(Object.keys(resourcesOf(after, 'AWS::CloudFront::PublicKey'))).toContain(signs(before));
    }
  });
});
