/** The stage settings: sensible defaults, and errors that name the invalid setting. */

import { App } from 'aws-cdk-lib';
import { readStage, stageOf } from '../../lib/stage';

const read = (context: Record<string, unknown>) => readStage(new App({ context }).node);

test('nothing has to be set: the stage is dev, with keyless providers', () => {
  const stage = read({});
  expect(stage.name).toBe('dev');
  expect(Object.values(stage.slotBindings)).toEqual(['openverse', 'wikimedia', 'openverse']);
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
  [{ throttles: { anonymous: { perSecond: 1, burst: 1 } } }, 'throttles.test'],
  [{ alarmEmail: 'invalid' }, 'alarmEmail'],
  [{ monthlyBudgetUsd: 5 }, 'monthlyBudgetUsd needs alarmEmail'],
  [{ apiDomain: { name: 'images.example.org', certificateArn: 'x' } }, 'apiDomain.certificateArn'],
  [{ logRetentionDays: 8 }, 'logRetentionDays'],
  [{ colour: 'blue' }, 'colour: there is no such setting'],
])('%j is refused by name', (changes, name) => {
  expect(() => stageOf('dev', changes)).toThrow(name);
});

test('all invalid settings are reported at once', () => {
  expect(() => stageOf('prod', { contact: '', redirectMaxAgeS: -1 })).toThrow(
    /contact[\s\S]*redirectMaxAgeS/,
  );
});

test('an unknown stage is refused with the ones there are', () => {
  expect(() => read({ stage: 'staging' })).toThrow('stage must be one of dev, prod');
});
