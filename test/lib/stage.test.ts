/** The stage settings: sensible defaults, and errors that name the invalid setting. */

import { App } from 'aws-cdk-lib';
import { readConfig } from '../../lambda/functions/config';
import { settings } from '../../lambda/functions/redirect/settings';
import { forRegion } from '../../lib/regions';
import { readStage, stageOf } from '../../lib/stage';
import { asciiJson, stageVariables } from '../../lib/stage-settings';

const read = (context: Record<string, unknown>) => readStage(new App({ context }).node.getAllContext());

test('nothing has to be set: the stage is dev, with keyless providers', () => {
  const stage = read({});
  expect(stage.name).toBe('dev');
  expect(Object.values(stage.slotBindings)).toEqual(['openverse', 'wikimedia', 'wikimedia']);
  expect(stage.keepsData).toBe(false);
});

test('prod retains its data and shifts traffic in steps', () => {
  expect(read({ stage: 'prod' })).toMatchObject({ keepsData: true, canary: true });
});

test('the command line gives texts, which are read as numbers, booleans and JSON where they look like it', () => {
  const stage = read({
    redirectMaxAgeS: '60',
    testKeysGenerate: 'true',
    generator: '{"kind":"sandbox"}',
    contact: 'ops@example.org',
  });
  expect(stage).toMatchObject({
    redirectMaxAgeS: 60,
    testKeysGenerate: true,
    generator: { kind: 'sandbox' },
    contact: 'ops@example.org',
  });
});

test('a stage takes its own settings from cdk.json, and the command line wins over them', () => {
  const settings = { dev: { redirectMaxAgeS: 10, logRetentionDays: 1 }, prod: { redirectMaxAgeS: 20 } };
  expect(read({ settings, redirectMaxAgeS: '30' })).toMatchObject({
    redirectMaxAgeS: 30,
    logRetentionDays: 1,
  });
});

test.each([
  ['slotBindings', { stock_b: 'pexels' }],
  ['throttles', { free: { burst: 7 } }],
  ['floodLimits', { perOpenMethod: { perSecond: 7 } }],
] as const)('%s names only what differs from its default', (setting, named) => {
  const byDefault = stageOf('prod')[setting];
  const changed = stageOf('prod', { [setting]: named })[setting];
  expect(changed).toMatchObject(named);
  expect(changed).not.toEqual(byDefault);
  expect(Object.keys(changed)).toEqual(Object.keys(byDefault));
});

const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/1';

test.each<[Record<string, unknown>, string]>([
  [{ redirectMaxAgeS: 86_401 }, 'redirectMaxAgeS: allowed: 0 to 86,400; given: 86401'],
  [{ redirectMaxAgeS: '-1' }, 'redirectMaxAgeS: allowed: 0 to 86,400; given: "-1"'],
  [{ slotBindings: { stock_a: 'flickr', stock_b: 'pexels', stock_c: 'pexels' } }, 'slotBindings.stock_a'],
  [{ slotBindings: { stock_d: 'pexels' } }, 'slotBindings.stock_d: there is no such setting'],
  [{ generator: { kind: 'bedrock-stability', modelId: 'a model' } }, 'modelId: must be'],
  [{ generator: { kind: 'bedrock-stability', region: 'Oregon' } }, 'region: must be'],
  [{ contact: 'J\u00fcrgen' }, 'contact'],
  [{ installation: 'two words' }, 'installation'],
  [{ signingKey: { version: 2, trusted: [1] } }, 'signingKey'],
  [{ originLock: { version: 2, trusted: [1] } }, 'originLock'],
  [{ contentKey: { version: 1, trusted: [1, 'x'] } }, 'trusted.1: allowed: 1 to 10,000; given: "x"'],
  [{ firewallRequestsPer5Min: 'sometimes' }, 'allowed: 10 to 2,000,000,000 or off; given: "sometimes"'],
  [{ generator: { kind: 'magic' } }, 'generator.kind: allowed: sandbox or bedrock-stability or'],
  [{ generator: { kind: 'sandbox', delayMs: 60_001 } }, 'generator.delayMs: allowed: 0 to 60,000'],
  [
    { generator: { kind: 'sandbox', delay: 5 } },
    'generator.delay: there is no such setting; the nearest is delayMs',
  ],
  [
    {
      imageDelivery: 'own',
      slotBindings: { stock_a: 'pexels', stock_b: 'unsplash', stock_c: 'pixabay' },
    },
    'Unsplash (stock_b): its terms require hotlinking',
  ],
  [{ plans: { free: { monthlyRequests: 0 } } }, 'plans.free.monthlyRequests'],
  [{ plans: { free: { monthlyRequests: 2_147_483_648 } } }, 'plans.free.monthlyRequests'],
  [{ restoredTables: { cache: 'copy' } }, 'restoredTables.cache'],
  [{ restoredTables: { apiKeys: 'a b' } }, 'restoredTables.apiKeys: must be the name of a DynamoDB table'],
  [{ providerQuotas: { unsplash: {} } }, 'providerQuotas.unsplash: must name at least one of perMinute'],
  [{ providerQuotas: { unsplash: { perMonth: 5 } } }, 'providerQuotas.unsplash'],
  [{ throttles: { anonymous: { perSecond: 0 } } }, 'throttles.anonymous.perSecond'],
  [{ throttles: 5 }, 'throttles'],
  [{ alarmEmail: 'invalid' }, 'alarmEmail: allowed: e-mail address; given: "invalid"'],
  [{ monthlyBudgetUsd: 5 }, 'monthlyBudgetUsd: needs alarmEmail'],
  [{ apiDomain: { name: 'images.example.org', certificateArn: 'x' } }, 'apiDomain.certificateArn'],
  [{ imageDomain: { name: 'a b', certificateArn } }, 'imageDomain.name: allowed: host name; given: "a b"'],
  [
    { imageDomain: { name: 'images.example.org', certificateArn: certificateArn.replace('us-', 'eu-') } },
    'imageDomain.certificateArn: CloudFront accepts certificates of us-east-1 only',
  ],
  ...['example.com', 'ages.example.org'].map((name): [Record<string, unknown>, string] => [
    { imageDomain: { name: 'images.example.org', certificateArn, hostedZone: { id: 'Z1', name } } },
    'imageDomain: the name must be in the hosted zone',
  ]),
  [{ logRetentionDays: 8 }, 'logRetentionDays'],
  [{ colour: 'blue' }, 'colour: there is no such setting'],
  [{ alarmMail: 'a@example.org' }, 'alarmMail: there is no such setting; the nearest is alarmEmail'],
])('%j is refused by name, with what it may be', (changes, name) => {
  const refused = () => stageOf('dev', changes);
  expect(refused).toThrow(name);
  expect(refused).not.toThrow('any JSON');
});

test.each(['example.org', 'images.example.org'])('a name may be in the hosted zone %s', (name) => {
  const imageDomain = { name: 'images.example.org', certificateArn, hostedZone: { id: 'Z1', name } };
  expect(stageOf('dev', { imageDomain }).imageDomain).toEqual(imageDomain);
});

test.each([
  [{}, '200'],
  [{ generationsPerDay: 7 }, '7'],
  [{ generationsPerDay: 'off' }, undefined],
  [{ generator: { kind: 'sandbox' } }, undefined],
])('with %j, GENERATIONS_PER_DAY is %s', (changes, value) => {
  expect(stageVariables(stageOf('dev', changes)).GENERATIONS_PER_DAY).toBe(value);
});

test('JSON of settings is ASCII, whatever they hold', () => {
  const value = { name: 'Jürgen – 🦊', tab: '\t' };
  expect(asciiJson(value)).toMatch(/^[ -~]*$/);
  expect(JSON.parse(asciiJson(value))).toEqual(value);
});

/** Whether a function starts with this value of a setting. */
const starts = (variable: keyof typeof settings, value: unknown) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  try {
    return readConfig({ [variable]: text }, { [variable]: settings[variable] })[variable] !== undefined;
  } catch {
    return false;
  }
};
const isSynthesised = (changes: object) => {
  try {
    return stageOf('dev', { ...changes }) !== undefined;
  } catch {
    return false;
  }
};

test.each([
  ['redirectMaxAgeS', 'REDIRECT_MAX_AGE_S', [0, 86_400], [-1, 86_401, 1.5]],
  ['generationsPerDay', 'GENERATIONS_PER_DAY', [1, 1_000_000], [0, 1_000_001]],
  [
    'providerQuotas',
    'PROVIDER_QUOTAS',
    [{}, { unsplash: { perHour: 1 } }, { pexels: { perMinute: 1_000_000, perDay: 100_000_000 } }],
    [
      { unsplash: {} },
      { unsplash: { perHour: 0 } },
      { unsplash: { perHour: 1.5 } },
      { unsplash: { perMinute: 1_000_001 } },
      { unsplash: { perMonth: 5 } },
      { flickr: { perHour: 1 } },
    ],
  ],
  [
    'plans',
    'PLANS',
    [{}, { free: {} }, { free: { monthlyRequests: 2_147_483_647 } }],
    [{ free: { monthlyRequests: 0 } }, { pro: { generationsPerMonth: 1.5 } }, { pro: { price: 1 } }],
  ],
] as const)(
  '%s: what is synthesised starts, and what would not start is not synthesised',
  (setting, variable, accepted, refused) => {
    for (const value of [...accepted, ...refused]) {
      const isAccepted = (accepted as readonly unknown[]).includes(value);
      expect([value, isSynthesised({ [setting]: value })]).toEqual([value, isAccepted]);
      expect([value, starts(variable, value)]).toEqual([value, isAccepted]);
    }
  },
);

test('all invalid settings are reported at once', () => {
  expect(() => stageOf('prod', { contact: '', redirectMaxAgeS: -1 })).toThrow(
    /contact[\s\S]*redirectMaxAgeS/,
  );
});

test('an unknown stage is refused with the ones there are', () => {
  expect(() => read({ stage: 'staging' })).toThrow('stage must be one of dev, prod');
});

test('a setting that there is not is refused wherever it is given, and the CDK’s own context is left alone', () => {
  expect(() => read({ redirectMaxAge: '60' })).toThrow(
    'redirectMaxAge: there is no such setting; the nearest is redirectMaxAgeS',
  );
  expect(() => read({ settings: { dev: { keepData: true } } })).toThrow('the nearest is keepsData');
  expect(() => read({ settings: { production: {} } })).toThrow('settings for production');
  const own = {
    'availability-zones:account=1:region=us-east-1': ['a'],
    '@aws-cdk/core:newStyle': true,
    'acknowledged-issue-numbers': [1],
    'cdk-migrate': true,
  };
  expect(read(own)).toEqual(stageOf('dev'));
});

test.each(['signingKey', 'originLock'] as const)('%s: the next version trusts the one before', (setting) => {
  expect(stageOf('prod', { [setting]: { version: 2 } })[setting].trusted).toEqual([1, 2]);
});

test('a region without budgets refuses one by name, and one that admits fewer requests lowers all that exceed it', () => {
  const budget = stageOf('prod', { alarmEmail: 'ops@example.org', monthlyBudgetUsd: 100 });
  expect(() => forRegion(budget, 'il-central-1')).toThrow(/^monthlyBudgetUsd: .*il-central-1/);
  for (const region of ['eu-central-1', undefined]) expect(forRegion(budget, region)).toBe(budget);
  const open = { perSecond: 3_000, burst: 100 };
  const { floodLimits, throttles } = forRegion(
    stageOf('prod', { floodLimits: { perOpenMethod: open } }),
    'eu-south-2',
  );
  expect(floodLimits).toEqual({
    everything: { perSecond: 2_500, burst: 1_250 },
    perOpenMethod: { perSecond: 2_500, burst: 100 },
  });
  expect(throttles.enterprise).toEqual({ perSecond: 2_500, burst: 1_250 });
  expect(throttles.free).toEqual(stageOf('prod').throttles.free);
});

test('the regions that admit fewer requests are those of the limits of API Gateway', () => {
  const open = stageOf('prod', { floodLimits: { everything: { perSecond: 9_000, burst: 9_000 } } });
  const isSlow = (region: string) => forRegion(open, region).floodLimits.everything.perSecond === 2_500;
  const slow = ['af-south-1', 'ap-south-2', 'ap-southeast-3', 'ap-southeast-4', 'ap-southeast-5'];
  slow.push('ap-southeast-7', 'ca-west-1', 'eu-central-2', 'eu-south-1', 'eu-south-2', 'il-central-1');
  expect([...slow, 'me-central-1', 'mx-central-1'].filter((region) => !isSlow(region))).toEqual([]);
  expect(['us-east-1', 'eu-west-1', 'ap-southeast-2', 'sa-east-1'].filter(isSlow)).toEqual([]);
});
