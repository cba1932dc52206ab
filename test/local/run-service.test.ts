/** The banner of `run-service.ts`: its URL, how to try it, its keys, and where its data is. */

import { writeBanner } from '../../local/run-service';

const ofPlan = (plan: string) => ({ live: `pk_live_${plan}`, test: `pk_test_${plan}` });
const plans = ['free', 'pro', 'business', 'enterprise'] as const;
const byPlan = <T>(of: (plan: string) => T) => Object.fromEntries(plans.map((plan) => [plan, of(plan)]));
const service = {
  url: 'http://127.0.0.1:8080',
  keys: byPlan(ofPlan),
  accounts: byPlan((plan) => `acc_${plan}`),
};
const bind = { stock_a: 'unsplash', stock_b: 'sandbox', stock_c: 'sandbox' };
const said = (options: object = {}, more: object = {}) =>
  writeBanner(
    { ...service, ...more } as never,
    { data: undefined, bind, anonymousPerHour: 2_147_483_647, ...options } as never,
  );

test('the banner has two requests to try, without a key and with one', () => {
  expect(said().match(/curl .*/g)).toEqual([
    'curl -i "http://127.0.0.1:8080/api/image?query=mountain%20lake"',
    'curl -i -H "X-API-Key: pk_live_pro" "http://127.0.0.1:8080/api/image/800x600-city-night?provider=ai&style=minimal"',
  ]);
});

test('the banner names the keys and the account of each plan', () => {
  const rows = said().matchAll(/ {2}(\w+) +live +(\S+)\n +test +(\S+)\n +account +(\S+)\n/g);
  expect([...rows].map(([, ...row]) => row)).toEqual(
    plans.map((plan) => [plan, `pk_live_${plan}`, `pk_test_${plan}`, `acc_${plan}`]),
  );
});

test.each([
  [{}, {}, ['Images: stock_a unsplash, stock_b sandbox, stock_c sandbox\n', 'Data: in memory']],
  [{}, { fakeProviders: {} }, ['stock_c sandbox (local fake providers)\n']],
  [{ data: 'folder' }, {}, ['Data: folder.']],
  [
    {},
    {},
    [
      'npm start -- --photos',
      'Without a key: no limit here; 10 requests per hour',
      '-- --anonymous-per-hour 10 to try it',
    ],
  ],
  [{ anonymousPerHour: 7 }, {}, ['Without a key: 7 requests per hour\n']],
])('the banner states the options %j and the facts %j', (options, more, words) => {
  for (const text of words) expect(said(options, more)).toContain(text);
});

test('beside a line of JSON the banner is the URL, without a key', () => {
  expect(said({ json: true })).toBe('Ready at http://127.0.0.1:8080\n');
});
