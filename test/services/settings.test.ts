/** Settings are read from the environment. All faults are reported, without the values. */

import { defaultPlans } from '../../lambda/contract/plans';
import { startFunction } from '../../lambda/functions/start-function';
import { apiSettings, ConfigurationError, readConfig } from '../../lambda/services/settings';

type Name = keyof typeof apiSettings;
/** Reads a value of a setting. */
const read = (name: Name, value: unknown = '') =>
  apiSettings[name](typeof value === 'string' ? value : JSON.stringify(value));

test.each([
  ['its own namespace', 'Stack-1', 'Stack-1'],
  ['the default namespace', '', 'ImageRedirect'],
])('a function counts in %s until its process ends', (_, METRIC_NAMESPACE, namespace) => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const environment = jest.replaceProperty(process, 'env', { METRIC_NAMESPACE });
  try {
    const { telemetry } = startFunction('api', { METRIC_NAMESPACE: apiSettings.METRIC_NAMESPACE });
    for (let i = 0; i < 2; i++) telemetry.count('renditions', { outcome: 'stored', source: 'remote' });
    process.listeners('exit').at(-1)?.call(process, 0);
    expect(write).toHaveBeenCalledTimes(2);
    for (const [line] of write.mock.calls) expect(line).toContain(`"Namespace":"${namespace}"`);
  } finally {
    environment.restore();
    write.mockRestore();
  }
});

test('all faults of the settings are reported at once, without values', () => {
  const bad = { GENERATIONS_PER_DAY: 'hunter2', PLANS: '{hunter2' };
  const { API_KEYS_TABLE, GENERATIONS_PER_DAY, PLANS } = apiSettings;
  const faults = [
    'API_KEYS_TABLE is missing',
    'GENERATIONS_PER_DAY must be a whole number from 1 to 1000000',
    'PLANS must be JSON',
  ];
  expect(() => readConfig(bad, { API_KEYS_TABLE, GENERATIONS_PER_DAY, PLANS })).toThrow(
    new ConfigurationError(`The function is misconfigured:\n  ${faults.join('\n  ')}`),
  );
});

const free = { ...defaultPlans.free, monthlyRequests: 2_000 };
const endpoints = { unsplash: 'http://127.0.0.1:4010' };
const quotas = {
  unsplash: { perHour: 5_000 },
  pexels: { perMinute: 1_000_000, perHour: 10_000_000, perDay: 100_000_000 },
};

test.each<[Name, value: unknown, expected: unknown]>([
  ['CONTACT', '', undefined],
  ['IMAGE_DELIVERY', '', 'provider'],
  ['GENERATIONS_PER_DAY', '', undefined],
  ['GENERATIONS_PER_DAY', '200', 200],
  ['FALLBACK_PROVIDER', '', undefined],
  ['FALLBACK_PROVIDER', 'sandbox', 'sandbox'],
  ['PLANS', '', defaultPlans],
  ['PLANS', { free: { monthlyRequests: 2_000 } }, { ...defaultPlans, free }],
  ['PROVIDER_ENDPOINTS', endpoints, endpoints],
  ['PROVIDER_QUOTAS', '', {}],
  ['PROVIDER_QUOTAS', quotas, quotas],
  ['SITE', { name: 'Pictures' }, { name: 'Pictures' }],
])('the setting %s reads its text or its default', (name, value, expected) => {
  expect(read(name, value)).toEqual(expected);
});

test.each<[Name, string, readonly unknown[]]>([
  [
    'GENERATIONS_PER_DAY',
    'a whole number',
    ['-1', '0', '1000001', '1.5', '1e3', ' 1', '1 ', '+1', '0x1', 'many'],
  ],
  ['PLANS', 'a whole number', [{ free: { monthlyRequests: 0 } }, { pro: { requests: 1 } }, { pro: 'all' }]],
  [
    'PROVIDER_ENDPOINTS',
    'give a URL to providers',
    [{ unsplash: 'elsewhere' }, { unsplash: 'file:///etc' }, { flickr: 'https://f.example' }],
  ],
  [
    'PROVIDER_QUOTAS',
    'give limits to providers',
    [{ flickr: { perHour: 1 } }, { pexels: {} }, { pexels: null }, { pexels: 200 }, [1]],
  ],
  [
    'PROVIDER_QUOTAS',
    'a whole number',
    [
      { perMonth: 20_000 },
      { perHour: 0 },
      { perHour: 1.5 },
      { perHour: '200' },
      { perMinute: 1_000_001 },
      { perHour: 10_000_001 },
      { perDay: 100_000_001 },
    ].map((quota) => ({ pexels: quota })),
  ],
])('the setting %s is refused: it must %s', (name, fault, values) => {
  for (const value of values) expect(() => read(name, value)).toThrow(fault);
});
