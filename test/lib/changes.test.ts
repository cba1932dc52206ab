/** Every setting changed in a deployed stage, there and back: nothing that holds data goes, and no name is made twice. */

import { type StageSettings, stageSettings } from '../../lib/stage-settings';
import { never, walkOf } from '../../tools/deploy-test/stage-settings';
import { everythingOn } from '../../tools/review/everything';
import { type ResourceChange, whatChanges } from '../../tools/review/what-changes';
import { resourcesOf, synthesise } from './synthesise';

type Name = keyof StageSettings;
type Steps = readonly Readonly<Partial<Record<Name, unknown>>>[];

const { apiDomain, imageDomain } = everythingOn;
const firewall = { firewallRequestsPer5Min: 'off' } as const;
const openAi = {
  kind: 'openai-compatible',
  baseUrl: 'https://images.example.org/v1',
  model: 'm',
  apiKeyName: 'k',
};

/** Settings in the order in which a stage of production has them, where one value does not show all changes. */
const walks: Partial<Record<Name, Steps>> = {
  generator: [{ generator: { kind: 'sandbox' } }, { generator: openAi }],
  signingKey: [{ signingKey: { version: 1, trusted: [1, 2] } }, { signingKey: { version: 2 } }],
  contentCredentials: [{ contentCredentials: 'secret' }, { contentCredentials: 'off' }],
  contentKey: [{ contentKey: { version: 2, trusted: [1, 2] } }],
  canary: [{ canary: false }],
  keepsData: [{ keepsData: false }],
  monthlyBudgetUsd: [{ alarmEmail: 'ops@example.org', monthlyBudgetUsd: 100 }],
  firewallRequestsPer5Min: [firewall, { firewallRequestsPer5Min: 100 }, { ...firewall, edge: true }],
  edge: [{ apiDomain }, { apiDomain, edge: true }],
  originLock: [
    { edge: true },
    { edge: true, originLock: { version: 1, trusted: [1, 2] } },
    { edge: true, originLock: { version: 2 } },
  ],
  imageDomain: [{ imageDomain }, { imageDomain: { ...imageDomain, hostedZone: undefined } }],
};

const { switched } = walkOf({
  fakeProviders: { unsplash: 'https://example.org' },
  modelUrl: 'https://models.example.org/v1',
  ...apiDomain,
});
/** Those that no walk has change at once, to what the deployment test switches them to. */
const others = Object.fromEntries(
  Object.keys(stageSettings.shape)
    .filter((name) => !(name in never) && !(name in walks))
    .map((name) => [name, (switched as Record<string, unknown>)[name]]),
);
/** The first step follows from the defaults, and back. */
const allWalks: readonly (readonly [string, Steps])[] = [
  ...Object.entries(walks),
  [Object.keys(others).join(', '), [others]],
];

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

describe.each(allWalks)('%s', (_, steps) => {
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
