/** Configuration from the environment: what is read, and how faults are reported: all at once, and without values. */

import { metricNamespace } from '../../lambda/contract/metrics';
import { defaultPlans, tiers } from '../../lambda/contract/plans';
import { settings } from '../../lambda/functions/authorizer/settings';
import {
  ConfigurationError,
  isOn,
  json,
  metricNamespaceSetting,
  optionalText,
  or,
  readConfig,
  type Setting,
  text,
  url,
  wholeNumber,
} from '../../lambda/functions/config';
import {
  plansSetting,
  providerEndpointsSetting,
  providerQuotasSetting,
  slotBindingsSetting,
} from '../../lambda/functions/operator-settings';
import { startFunction } from '../../lambda/functions/start-function';

/** What a setting makes of a value. */
const read = <T>(setting: Setting<T>, value?: unknown): T =>
  readConfig({ S: typeof value === 'string' ? value : JSON.stringify(value) }, { S: setting }).S as T;

it.each([
  ['Stack-1', { METRIC_NAMESPACE: 'Stack-1' }],
  [metricNamespace, {}],
])('a function counts in the namespace %s, to the end of its process', (namespace, environment) => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const { telemetry } = startFunction('api', { METRIC_NAMESPACE: metricNamespaceSetting }, environment);
    for (let i = 0; i < 2; i++) telemetry.count('renditions', { outcome: 'stored', source: 'remote' });
    process.listeners('exit').at(-1)?.call(process, 0);
    expect(write).toHaveBeenCalledTimes(2);
    for (const [line] of write.mock.calls) expect(line).toContain(`"Namespace":"${namespace}"`);
  } finally {
    write.mockRestore();
  }
});

describe('the configuration', () => {
  const wanted = {
    TABLE: text,
    CONTACT: optionalText,
    MAX_AGE: or(wholeNumber(0, 86_400), 3_600),
    BASE: url('https:'),
    PLANS: or(json(), {}),
  } as const;

  it('reads what is set, and uses defaults for what is missing or empty', () => {
    const good = { TABLE: 't', BASE: 'https://images.example.org/', MAX_AGE: '' };
    expect(readConfig(good, wanted)).toEqual({
      TABLE: 't',
      CONTACT: undefined,
      MAX_AGE: 3_600,
      BASE: 'https://images.example.org',
      PLANS: {},
    });
  });

  it('reports all faults at once, without values', () => {
    const bad = { TABLE: '', BASE: 'http://hunter2.example', MAX_AGE: 'hunter2', PLANS: '{hunter2' };
    const faults = [
      'TABLE is missing',
      'MAX_AGE must be a whole number from 0 to 86400',
      'BASE must be a URL that begins with https:',
      'PLANS must be JSON',
    ];
    expect(() => readConfig(bad, wanted)).toThrow(
      new ConfigurationError(`The function is misconfigured:\n  ${faults.join('\n  ')}`),
    );
  });

  it.each(['-1', '86401', '1.5', '1e3', ' 1', '1 ', '+1', '0x1', 'many'])(
    'takes no %j for a whole number',
    (value) => {
      expect(() => read(wholeNumber(0, 86_400), value)).toThrow('S must be a whole number');
    },
  );

  it('reads a switch, and nothing else for one', () => {
    expect(['', 'on', 'off'].map((value) => read(isOn, value))).toEqual([false, true, false]);
    for (const value of ['true', 'ON', '1']) expect(() => read(isOn, value)).toThrow('one of on, off');
  });

  it('of the authorizer names the tiers whose key is missing', () => {
    const keys = Object.fromEntries(tiers.map((tier) => [tier, `key-of-${tier}`]));
    expect(read(settings.TIER_KEYS, keys)).toEqual(keys);
    const { pro: _pro, ...others } = keys;
    for (const value of [null, [], 5, others, { ...keys, pro: 5 }])
      expect(() => read(settings.TIER_KEYS, value)).toThrow(/S must .*pro/);
  });
});

describe('what the operator sets', () => {
  const free = { ...defaultPlans.free, monthlyRequests: 2_000 };
  const bindings = { stock_a: 'unsplash', stock_b: 'pexels', stock_c: 'sandbox' };
  const endpoints = { unsplash: 'http://127.0.0.1:4010' };
  const most = { perMinute: 1_000_000, perHour: 10_000_000, perDay: 100_000_000 };
  const quotas = { unsplash: { perHour: 5_000 }, pexels: most };

  it.each<[string, Setting<unknown>, unknown, unknown]>([
    ['the plans by default', plansSetting, undefined, defaultPlans],
    ['a limit of a plan', plansSetting, { free: { monthlyRequests: 2_000 } }, { ...defaultPlans, free }],
    ['a provider for each slot', slotBindingsSetting, bindings, bindings],
    ['URLs of providers', providerEndpointsSetting, endpoints, endpoints],
    ['no quotas by default', providerQuotasSetting, undefined, {}],
    ['quotas of one window or several', providerQuotasSetting, quotas, quotas],
  ])('is read: %s', (_, setting, value, expected) => {
    expect(read(setting, value)).toEqual(expected);
  });

  it.each<[string, Setting<unknown>, readonly unknown[]]>([
    ['bind stock_b to', slotBindingsSetting, [{ ...bindings, stock_b: 'flickr' }, { stock_a: 'pexels' }]],
    ['bind stock_a to', slotBindingsSetting, [null]],
    [
      'give a URL to providers',
      providerEndpointsSetting,
      [{ unsplash: 'elsewhere' }, { unsplash: 'file:///etc' }, { flickr: 'https://f.example' }],
    ],
    [
      'give limits to providers',
      providerQuotasSetting,
      [{ flickr: { perHour: 1 } }, { pexels: {} }, { pexels: null }, { pexels: 200 }, [1]],
    ],
    [
      'a whole number',
      providerQuotasSetting,
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
  ])('is refused where it does not %s', (fault, setting, values) => {
    for (const value of values) expect(() => read(setting, value)).toThrow(fault);
  });
});
