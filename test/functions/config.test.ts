/** Configuration from the environment: all faults are reported at once, without values. */

import { metricNamespace } from '../../lambda/contract/metrics';
import { tiers } from '../../lambda/contract/plans';
import { settings } from '../../lambda/functions/authorizer/settings';
import {
  ConfigurationError,
  json,
  metricNamespaceSetting,
  onOff,
  optionalText,
  readConfig,
  text,
  url,
  wholeNumber,
} from '../../lambda/functions/config';
import { startFunction } from '../../lambda/functions/start-function';

const wanted = {
  TABLE: text,
  CONTACT: optionalText,
  MAX_AGE: wholeNumber(0, 86_400, 3_600),
  BASE: url('https:'),
  PLANS: json((value) => {
    if (typeof value !== 'object') throw new Error('must be an object');
    return value;
  }, {}),
} as const;
const good = { TABLE: 't', BASE: 'https://images.example.org/' };

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
  it('reads what is set, and uses defaults for the rest', () => {
    expect(readConfig(good, wanted)).toEqual({
      TABLE: 't',
      CONTACT: undefined,
      MAX_AGE: 3_600,
      BASE: 'https://images.example.org',
      PLANS: {},
    });
  });

  it('takes an empty variable for a missing one', () => {
    expect(readConfig({ ...good, CONTACT: '', MAX_AGE: '' }, wanted)).toMatchObject({ MAX_AGE: 3_600 });
    expect(() => readConfig({ ...good, TABLE: '' }, wanted)).toThrow('TABLE is missing');
  });

  it('reports all faults at once, without values', () => {
    const bad = { BASE: 'http://hunter2.example', MAX_AGE: 'hunter2', PLANS: '{hunter2' };
    const fault = (() => {
      try {
        return readConfig(bad, wanted);
      } catch (error) {
        return error;
      }
    })();
    expect(fault).toBeInstanceOf(ConfigurationError);
    const { message } = fault as Error;
    for (const line of [
      'TABLE is missing',
      'MAX_AGE must be a whole number from 0 to 86400',
      'BASE must be a URL that begins with https:',
      'PLANS must be JSON',
    ])
      expect(message).toContain(line);
    expect(message).not.toContain('hunter2');
  });

  it.each(['-1', '86401', '1.5', '1e3', ' 1', '1 ', '+1', '0x1', 'many'])(
    'takes no %j for a whole number',
    (value) => {
      expect(() => readConfig({ ...good, MAX_AGE: value }, wanted)).toThrow('MAX_AGE');
    },
  );

  it.each([
    [onOff(true), { '': true, on: true, off: false }],
    [onOff(false), { '': false, on: true, off: false }],
  ])('reads a switch, and nothing else for one', (SWITCH, expected) => {
    for (const [text, value] of Object.entries(expected))
      expect(readConfig({ SWITCH: text }, { SWITCH })).toEqual({ SWITCH: value });
    for (const text of ['true', 'ON', '1'])
      expect(() => readConfig({ SWITCH: text }, { SWITCH })).toThrow('SWITCH must be one of on, off');
  });

  it('of the authorizer names the tiers whose key is missing', () => {
    const keys = Object.fromEntries(tiers.map((tier) => [tier, `key-of-${tier}`]));
    expect(readConfig({ API_KEYS_TABLE: 't', TIER_KEYS: JSON.stringify(keys) }, settings).TIER_KEYS).toEqual(
      keys,
    );
    const { pro: _pro, ...others } = keys;
    for (const value of ['null', '[]', '5', JSON.stringify(others), JSON.stringify({ ...keys, pro: 5 })])
      expect(() => readConfig({ API_KEYS_TABLE: 't', TIER_KEYS: value }, settings)).toThrow(
        /TIER_KEYS must .*pro/,
      );
  });
});
