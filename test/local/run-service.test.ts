/** Tests the banner: its URL, its requests to try, its keys, and the place of the data. */

import { writeBanner } from '../../local/run-service';

const makeKeys = (plan: string) => ({ live: `pk_live_${plan}`, test: `pk_test_${plan}` });
const plans = ['free', 'pro', 'business', 'enterprise'] as const;
const mapPlans = <T>(makeValue: (plan: string) => T) =>
  Object.fromEntries(plans.map((plan) => [plan, makeValue(plan)]));
const service = {
  url: 'http://127.0.0.1:8080',
  keys: mapPlans(makeKeys),
  accounts: mapPlans((plan) => `acc_${plan}`),
};
const bind = { stock_a: 'unsplash', stock_b: 'sandbox', stock_c: 'sandbox' };
const writeText = (options: object = {}, serviceFields: object = {}) =>
  writeBanner(
    { ...service, ...serviceFields } as never,
    { data: undefined, bind, anonymousPerHour: 2_147_483_647, ...options } as never,
  );

test('the banner shows a request without a key and a request with one', () => {
  expect(writeText().match(/curl .*/g)).toEqual([
    'curl -i "http://127.0.0.1:8080/api/image?query=mountain%20lake"',
    'curl -i -H "X-API-Key: pk_live_pro" "http://127.0.0.1:8080/api/image/800x600-city-night?provider=ai&style=minimal"',
  ]);
});

test('the banner names the keys and the account of each plan', () => {
  const rows = writeText().matchAll(/ {2}(\w+) +live +(\S+)\n +test +(\S+)\n +account +(\S+)\n/g);
  expect([...rows].map(([, ...row]) => row)).toEqual(
    plans.map((plan) => [plan, `pk_live_${plan}`, `pk_test_${plan}`, `acc_${plan}`]),
  );
});

test.each([
  [
    'the providers of the slots',
    {},
    {},
    ['Images: stock_a unsplash, stock_b sandbox, stock_c sandbox\n', 'Data: in memory'],
  ],
  ['that providers are fake', {}, { fakeProviders: {} }, ['stock_c sandbox (local fake providers)\n']],
  ['the folder of the data', { data: 'folder' }, {}, ['Data: folder.']],
  [
    'how to see photos and a limit',
    {},
    {},
    [
      'npm start -- --photos',
      'Without a key: no limit here; 10 requests per hour',
      '-- --anonymous-per-hour 10 to try it',
    ],
  ],
  ['the limit without a key', { anonymousPerHour: 7 }, {}, ['Without a key: 7 requests per hour\n']],
])('the banner states %s', (_, options, serviceFields, words) => {
  for (const text of words) expect(writeText(options, serviceFields)).toContain(text);
});

test('with --json the banner names the URL but no key', () => {
  expect(writeText({ json: true })).toBe('Ready at http://127.0.0.1:8080\n');
});
