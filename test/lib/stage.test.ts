/** The stage settings: sensible defaults, and errors that name the invalid setting. */

import { App } from 'aws-cdk-lib';
import { readConfig } from '../../lambda/functions/config';
import { settings } from '../../lambda/functions/redirect/settings';
import { readStage, stageOf } from '../../lib/stage';

const read = (context: Record<string, unknown>) => readStage(new App({ context }).node);

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
  [{ redirectMaxAgeS: 86_401 }, 'redirectMaxAgeS'],
  [{ redirectMaxAgeS: 1.5 }, 'redirectMaxAgeS'],
  [{ slotBindings: { stock_a: 'flickr', stock_b: 'pexels', stock_c: 'pexels' } }, 'slotBindings.stock_a'],
  [{ slotBindings: { stock_a: 'pexels' } }, 'slotBindings.stock_b'],
  [{ generator: { kind: 'bedrock-stability', modelId: 'a model' } }, 'modelId: must be'],
  [{ generator: { kind: 'bedrock-stability', region: 'Oregon' } }, 'region: must be'],
  [{ contact: 'J\u00fcrgen' }, 'contact'],
  [{ installation: 'two words' }, 'installation'],
  [{ signingKey: { version: 2, trusted: [1] } }, 'signingKey'],
  [{ originLock: { version: 2, trusted: [1] } }, 'originLock'],
  [{ firewallRequestsPer5Min: 'sometimes' }, 'firewallRequestsPer5Min'],
  [{ generator: { kind: 'magic' } }, 'generator'],
  [{ generator: { kind: 'sandbox', delay: 5 } }, 'no such setting: delay'],
  [{ plans: { free: { monthlyRequests: 0 } } }, 'plans.free.monthlyRequests'],
  [{ plans: { free: { monthlyRequests: 2_147_483_648 } } }, 'plans.free.monthlyRequests'],
  [{ providerQuotas: { unsplash: {} } }, 'providerQuotas.unsplash: must name at least one of perMinute'],
  [{ providerQuotas: { unsplash: { perMonth: 5 } } }, 'providerQuotas.unsplash'],
  [{ throttles: { anonymous: { perSecond: 1, burst: 1 } } }, 'throttles.test'],
  [{ alarmEmail: 'invalid' }, 'alarmEmail'],
  [{ monthlyBudgetUsd: 5 }, 'monthlyBudgetUsd: needs alarmEmail'],
  [{ apiDomain: { name: 'images.example.org', certificateArn: 'x' } }, 'apiDomain.certificateArn'],
  [{ logRetentionDays: 8 }, 'logRetentionDays'],
  [{ colour: 'blue' }, 'colour: there is no such setting'],
])('%j is refused by name', (changes, name) => {
  expect(() => stageOf('dev', changes)).toThrow(name);
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
  ['waitingRequestsMax', 'WAITING_REQUESTS_MAX', [1, 100], [0, 101]],
  ['signedCharge', 'SIGNED_CHARGE', ['day', 'request', 'month'], ['hour']],
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
    [
      { free: { monthlyRequests: 0 } },
      { pro: { generationsAtOnce: 1.5 } },
      { pro: { generationsAtOnce: 1_001 } },
      { pro: { price: 1 } },
    ],
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
