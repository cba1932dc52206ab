/** What the account page makes of the answers of the service, whatever they hold. */

import type { Route } from 'playwright-core';
import type { UsageBreakdown, UsageDocument } from '../../../lambda/quota/usage/usage-schema';
import { createDeferred } from '../../fakes/deferred';
import { describeInBrowser } from '../chromium';
import { openWatched, type WatchedPage } from '../playground/browsing';
import { openStage, type Stage } from '../playground/start-page';

const unlimited = 2_147_483_647;
const usage: UsageDocument = {
  account: 'acc_1',
  plan: 'business',
  mode: 'live',
  window: { kind: 'month', start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
  limit: 500_000,
  used: 1_234,
  remaining: 498_766,
  reset: '2026-12-01T00:00:00.000Z',
  generations: { limit: 4_000, used: 5, remaining: 3_995, reset: '2026-12-01T00:00:00.000Z' },
};
const counts = { bySource: {}, byCache: { HIT: 0, MISS: 0 }, refused: {}, free: 0 };

const dayName = (date: string) =>
  new Date(date).toLocaleString('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });

describeInBrowser('the account page shows', () => {
  let stage: Stage;
  let watched: WatchedPage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());
  beforeEach(async () => {
    watched = await openWatched(stage.context);
  });
  afterEach(() => watched?.page.close());

  const open = async (given: Partial<UsageDocument>) => {
    const { page } = watched;
    await page.route('**/api/usage', (route) => route.fulfill({ json: { ...usage, ...given } }));
    await page.goto(`${stage.service.url}/account`);
    await page.locator('main input[type=password]').fill('pk_live_x');
    await page.keyboard.press('Enter');
    await page.locator('#state', { hasText: 'As of' }).waitFor();
    return page;
  };
  const textsOf = (selector: string) => watched.page.locator(selector).allTextContents();
  test.each<[string, Partial<UsageDocument>, readonly string[]]>([
    [
      'a limited plan',
      {},
      [
        'Requests1,234 of 500,000 this month',
        'Starts again 1 Dec 2026, 00:00 UTC',
        'AI images made5 of 4,000 this month',
      ],
    ],
    [
      'one without limits',
      {
        limit: unlimited,
        remaining: unlimited,
        generations: { ...usage.generations, limit: unlimited },
      },
      ['Requests1,234 this month, without a limit', 'AI images made5 this month, without a limit'],
    ],
    [
      'a test key',
      { mode: 'test', limit: 100, used: 107 },
      ['107 of 100 this hour', 'acc_1Plan business · test key', 'are counted in their hour alone.'],
    ],
    ['a name before the id', { accountName: 'Harbor' }, ['Harboracc_1 · Plan business']],
    ['nothing yet', {}, ['Plans pro and up show']],
  ])('%s', async (_, given, texts) => {
    const page = await open(given);
    const shown = await page.locator('#report').textContent();
    for (const text of texts) expect(shown).toContain(text);
    const bars = await page
      .locator('progress')
      .evaluateAll((all) => all.map((bar) => [bar.getAttribute('value'), bar.getAttribute('max')]));
    const { used, limit, generations } = { ...usage, ...given };
    const limited = [{ used, limit }, generations].filter((each) => each.limit !== unlimited);
    expect(bars).toEqual(limited.map((each) => [`${Math.min(each.used, each.limit)}`, `${each.limit}`]));
    expect(await watched.complaints()).toEqual([]);
  });

  test('each key by what it was charged, and what none of the listed ones was', async () => {
    const byKey = [
      { keyId: 'key_a', name: 'App', requests: 5, free: 1 },
      { keyId: 'sg_b', name: 'Blog', requests: 70, free: 0 },
      // Much on every day, which is nothing unusual.
      { keyId: 'site_c', name: 'Shop', requests: 165, free: 0 },
      // Two of one name, and one without any.
      { keyId: 'key_d', name: 'Old', requests: 3, free: 0 },
      { keyId: 'key_e', name: 'Old', requests: 2, free: 0 },
      { keyId: 'key_f', requests: 1, free: 0 },
      { keyId: 'key_g', name: 'Quiet', requests: 0, free: 9 },
    ];
    const on = (date: string, all: number, ...requests: number[]) => ({
      date,
      ...counts,
      requests: all,
      byKey: requests.map((number, i) => ({
        keyId: ['key_a', 'sg_b', 'site_c'][i] ?? '',
        requests: number,
        free: 0,
      })),
    });
    const byDay = [
      on('2026-11-03', 67, 2, 10, 55),
      on('2026-11-04', 108, 3, 50, 55),
      on('2026-11-05', 71, 0, 10, 55),
    ];
    await open({ breakdown: { month: '2026-11', ...counts, requests: 246, free: 10, byDay, byKey } });
    expect(await textsOf('table[aria-label="Keys"] tbody tr')).toEqual([
      'Shop16567 %',
      'Blog7028 %',
      'App52 %',
      'Old (key_d)31 %',
      'Old (key_e)21 %',
      'key_f10 %',
    ]);
    expect(await textsOf('figure:has-text("by day and key") .legend li')).toEqual([
      'Blog 70',
      'Shop 165',
      'App 5',
      'Others 6',
    ]);
    const said = await watched.page.locator('#report').textContent();
    expect(said).toContain(
      `Furthest above a usual day: Blog on ${dayName('2026-11-04')} with 50, usually 10.`,
    );
    expect(said).toContain('246 charged requests. 10 more were free, and are in no chart.');
  });

  test('four spenders in colours, those beyond them as others, and months since the first that had requests', async () => {
    const many = Array.from({ length: 8 }, (_, i) => ({ keyId: `key_${i}`, requests: 80 - i, free: 0 }));
    const refused = { rate_limited: 2 };
    const bySource = { stock_a: 600, ai: 12 };
    const day = { ...counts, date: '2026-11-30', requests: 612, free: 4, bySource, refused };
    const breakdown: UsageBreakdown = {
      ...{ month: '2026-11', ...counts, requests: 612, bySource, refused: { ...refused, no_image_found: 6 } },
      byDay: [{ ...day, byKey: many }],
      byKey: many,
    };
    const history = Array.from({ length: 12 }, (_, i) => ({
      ...counts,
      month: i < 1 ? '2025-12' : `2026-${String(i).padStart(2, '0')}`,
      requests: i === 2 ? 60 : 0,
      free: i === 2 ? 30 : 0,
      byKey: [],
    }));
    const page = await open({ breakdown, history });
    const figure = (title: string) => page.locator('figure', { hasText: title });
    const legend = (title: string) => figure(title).locator('.legend li').allTextContents();
    expect(await legend('by day and key')).toEqual([
      ...['key_0 80', 'key_1 79', 'key_2 78', 'key_3 77'],
      'Others 298',
    ]);
    expect(await legend('by day and source')).toEqual(['stock_a 600', 'ai 12']);
    expect(await figure('by day and source').locator('figcaption p').textContent()).toBe(
      `Most on ${dayName(day.date)}: 612.`,
    );
    expect(await figure('by day and source').locator('tbody tr').count()).toBe(30);
    const rowsOf = (title: string) => textsOf(`table[aria-label="${title}"] tbody tr`);
    expect(await rowsOf('Sources')).toEqual(['stock_a60098 %', 'ai122 %']);
    expect(await rowsOf('Refused requests')).toEqual(['no_image_found675 %', 'rate_limited225 %']);
    expect((await figure('by month').locator('tbody tr').allTextContents()).slice(0, 2)).toEqual([
      'February 202660',
      'March 20260',
    ]);
  });

  test('nothing where the service cannot be reached', async () => {
    const page = await open({});
    const abort = (route: Route) => route.abort();
    await page.route('**/api/usage', abort);
    await page.keyboard.press('Enter');
    await page.locator('#state.bad', { hasText: 'The service could not be reached.' }).waitFor();
    expect(await page.locator('#report').isVisible()).toBe(false);
    await page.unroute('**/api/usage', abort);
    await page.keyboard.press('Enter');
    await page.locator('#state:not(.bad)', { hasText: 'As of' }).waitFor();
    expect(await page.locator('#report').isVisible()).toBe(true);
  });

  test.each([200, 401])(
    'what the last key gives, though an earlier one is answered later, with %i',
    async (status) => {
      const page = await open({});
      const held: Route[] = [];
      const arrived = createDeferred<void>();
      await page.route('**/api/usage', (route) => {
        const accountName = route.request().headers()['x-api-key'] ?? '';
        if (accountName !== 'pk_live_a') return route.fulfill({ json: { ...usage, accountName } });
        held.push(route);
        arrived.resolve();
      });
      for (const key of ['pk_live_a', 'pk_live_b']) {
        await page.locator('main input[type=password]').fill(key);
        await page.keyboard.press('Enter');
        await arrived.promise;
      }
      await page.locator('h2', { hasText: 'pk_live_b' }).waitFor();
      // The page has ended its request already.
      await held[0]?.fulfill({ status, json: { ...usage, detail: 'Refused' } }).catch(() => undefined);
      await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
      expect(await textsOf('h2')).toContain('pk_live_b');
      expect(await page.locator('#report').isVisible()).toBe(true);
    },
  );
});
