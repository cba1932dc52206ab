/** Accepted and refused settings of stock providers. */

import { readConfig } from '../../lambda/functions/config';
import {
  providerEndpointsSetting,
  providerQuotasSetting,
  slotBindingsSetting,
} from '../../lambda/functions/stock-settings';

const read = <T>(value: unknown, setting: Parameters<typeof readConfig>[1][string]) =>
  readConfig({ S: typeof value === 'string' ? value : JSON.stringify(value) }, { S: setting }).S as T;

describe('the quotas of providers', () => {
  it('are empty unless configured', () => {
    expect(readConfig({}, { S: providerQuotasSetting }).S).toEqual({});
  });

  it('are whole numbers for one window or several', () => {
    const most = { perMinute: 1_000_000, perHour: 10_000_000, perDay: 100_000_000 };
    const quotas = { unsplash: { perHour: 5_000 }, pexels: most };
    expect(read(quotas, providerQuotasSetting)).toEqual(quotas);
  });

  it.each([
    ['an unknown provider', { flickr: { perHour: 1 } }],
    ['an unknown window', { pexels: { perMonth: 20_000 } }],
    ['no window', { pexels: {} }],
    ['nothing', { pexels: null }],
    ['zero', { pexels: { perHour: 0 } }],
    ['a fraction', { pexels: { perHour: 1.5 } }],
    ['more than a minute may hold', { pexels: { perMinute: 1_000_001 } }],
    ['more than an hour may hold', { pexels: { perHour: 10_000_001 } }],
    ['more than a day may hold', { pexels: { perDay: 100_000_001 } }],
    ['a text', { pexels: { perHour: '200' } }],
    ['a bare number', { pexels: 200 }],
    ['a list', [1]],
  ])('refuse %s', (_, quotas) => {
    expect(() => read(quotas, providerQuotasSetting)).toThrow(
      /S must give (limits to providers|\w+ a whole number)/,
    );
  });
});

describe('the bindings of slots', () => {
  it('name a provider for each slot', () => {
    const bindings = { stock_a: 'unsplash', stock_b: 'pexels', stock_c: 'sandbox' };
    expect(read(bindings, slotBindingsSetting)).toEqual(bindings);
    expect(() => read({ ...bindings, stock_b: 'flickr' }, slotBindingsSetting)).toThrow(/bind stock_b to/);
    expect(() => read({ stock_a: 'pexels' }, slotBindingsSetting)).toThrow(/bind stock_b to/);
    expect(() => read('null', slotBindingsSetting)).toThrow(/bind stock_a to/);
  });
});

describe('the endpoints of providers', () => {
  it('are URLs of known providers', () => {
    const endpoints = { unsplash: 'http://127.0.0.1:4010' };
    expect(read(endpoints, providerEndpointsSetting)).toEqual(endpoints);
    for (const wrong of [
      { unsplash: 'elsewhere' },
      { unsplash: 'file:///etc' },
      { flickr: 'https://f.example' },
    ])
      expect(() => read(wrong, providerEndpointsSetting)).toThrow(/a URL/);
  });
});
