/** The account page in a real browser: the report, the management of keys, and that a key stays in the page. */

import axe from 'axe-core';
import type { Route } from 'playwright-core';
import { defaultPlans } from '../../lambda/contract/plans';
import type { UsageBreakdown, UsageDocument } from '../../lambda/quota/usage/usage-schema';
import { createDeferred } from '../fakes/clock';
import { startFixture } from '../fakes/fixture';
import { describeInBrowser, findViolations, openStage, openWatched, type WatchedPage } from './chromium';

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

/** A day with requests of more keys than the page has colours. Two have one name, and four have none. */
const names = ['App', 'Blog', 'Old', 'Old'];
const many = Array.from({ length: 8 }, (_, i) => ({
  keyId: `key_${i}`,
  ...(names[i] && { name: names[i] }),
  requests: 80 - i,
  free: 0,
}));
const refused = { rate_limited: 2 };
const bySource = { stock_a: 600, ai: 12 };
const day = { ...counts, date: '2026-11-30', requests: 612, free: 4, bySource, refused };
const breakdown: UsageBreakdown = {
  ...{
    month: '2026-11',
    ...counts,
    requests: 612,
    free: 10,
    bySource,
    refused: { ...refused, no_image_found: 6 },
  },
  // The day lists its busiest keys only.
  byDay: [{ ...day, byKey: many.slice(0, 6) }],
  byKey: many,
};
const history = Array.from({ length: 12 }, (_, i) => ({
  ...counts,
  month: i < 1 ? '2025-12' : `2026-${String(i).padStart(2, '0')}`,
  requests: i === 2 ? 60 : 0,
  free: i === 2 ? 30 : 0,
  byKey: [],
}));
const busy = { breakdown, history };

let watched: WatchedPage;

describeInBrowser('the account page', () => {
  const stage = startFixture(openStage);
  beforeEach(async () => {
    watched = await openWatched(stage.context);
    watched.page.on('dialog', (dialog) => dialog.accept(dialog.type() === 'prompt' ? 'renamed' : undefined));
  });
  afterEach(() => watched?.page.close());

  const enterKey = async (key: string) => {
    const { page } = watched;
    await page.locator('main input[type=password]').fill(key);
    await page.keyboard.press('Enter');
    return page;
  };
  const openWith = async (key: string) => {
    await watched.page.goto(`${stage.service.url}/account`);
    return enterKey(key);
  };
  /** Opens the page with a response of the service. */
  const open = async (changes: Partial<UsageDocument>) => {
    const { page } = watched;
    await page.route('**/api/usage', (route) => route.fulfill({ json: { ...usage, ...changes } }));
    await openWith('pk_live_x');
    await page.locator('#state', { hasText: 'As of' }).waitFor();
    return page;
  };
  const readTexts = (selector: string) => watched.page.locator(selector).allTextContents();
  const findFigure = (title: string) => watched.page.locator('figure', { hasText: title });

  describe('the report', () => {
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
        'a plan without limits',
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
        ['107 of 100 this hour', 'acc_1Plan business · test key', 'are counted by the hour only.'],
      ],
      ['a name before the id', { accountName: 'Harbor' }, ['Harboracc_1 · Plan business']],
      ['nothing yet', {}, ['The plans pro, business and enterprise show']],
    ])('the account page shows %s', async (_, changes, visibleTexts) => {
      const page = await open(changes);
      const reportText = await page.locator('#report').textContent();
      for (const text of visibleTexts) expect(reportText).toContain(text);
      const bars = await page
        .locator('progress')
        .evaluateAll((progressBars) =>
          progressBars.map((bar) => [bar.getAttribute('value'), bar.getAttribute('max')]),
        );
      const { used, limit, generations } = { ...usage, ...changes };
      const limited = [{ used, limit }, generations].filter((total) => total.limit !== unlimited);
      expect(bars).toEqual(
        limited.map((total) => [`${Math.min(total.used, total.limit)}`, `${total.limit}`]),
      );
      expect(await watched.complaints()).toEqual([]);
    });

    test('the account page shows four keys in colours and the others as one', async () => {
      await open(busy);
      const readLegend = (title: string) => findFigure(title).locator('.legend li').allTextContents();
      expect(await readLegend('by day and key')).toEqual([
        ...['App 80', 'Blog 79', 'Old (key_2) 78', 'Old (key_3) 77'],
        'Others 298',
      ]);
      expect(await readLegend('by day and source')).toEqual(['stock_a 600', 'ai 12']);
      expect(await findFigure('by day and source').locator('tbody tr').count()).toBe(30);
      const readRows = (title: string) => readTexts(`table[aria-label="${title}"] tbody tr`);
      expect((await readRows('Keys')).slice(2, 5)).toEqual([
        'Old (key_2)7813 %',
        'Old (key_3)7713 %',
        'key_47612 %',
      ]);
      expect(await watched.page.locator('#report').textContent()).toContain(
        '612 charged requests. 10 more were free, and are in no chart.',
      );
      expect(await readRows('Sources')).toEqual(['stock_a60098 %', 'ai122 %']);
      expect(await readRows('Refused requests')).toEqual(['no_image_found675 %', 'rate_limited225 %']);
      expect((await findFigure('by month').locator('tbody tr').allTextContents()).slice(0, 2)).toEqual([
        'February 202660',
        'March 20260',
      ]);
      // The same numbers in a table of each chart, which the keyboard opens.
      expect(await watched.page.locator('figure').count()).toBe(3);
      for (const chart of await watched.page.locator('figure').all()) {
        expect(await chart.locator('[role=img]').getAttribute('aria-label')).toMatch(/\w/);
        await chart.locator('summary').focus();
        await watched.page.keyboard.press('Enter');
        expect(await chart.locator('table th[scope=row]').first().isVisible()).toBe(true);
        expect(await chart.locator('table th[scope=col]').count()).toBeGreaterThan(1);
      }
    });

    test('without a connection, the account page shows no report', async () => {
      const page = await open({});
      const abortRequest = (route: Route) => route.abort();
      await page.route('**/api/usage', abortRequest);
      await page.keyboard.press('Enter');
      await page.locator('#state.bad', { hasText: 'The service could not be reached.' }).waitFor();
      expect(await page.locator('#report').isVisible()).toBe(false);
      await page.unroute('**/api/usage', abortRequest);
      await page.keyboard.press('Enter');
      await page.locator('#state:not(.bad)', { hasText: 'As of' }).waitFor();
      expect(await page.locator('#report').isVisible()).toBe(true);
    });

    test.each([200, 401])(
      'a late response %i for an earlier key does not replace the report of the last key',
      async (status) => {
        const page = await open({});
        const heldRoutes: Route[] = [];
        const arrived = createDeferred<void>();
        await page.route('**/api/usage', (route) => {
          const accountName = route.request().headers()['x-api-key'] ?? '';
          if (accountName !== 'pk_live_a') return route.fulfill({ json: { ...usage, accountName } });
          heldRoutes.push(route);
          arrived.resolve();
        });
        for (const key of ['pk_live_a', 'pk_live_b']) {
          await enterKey(key);
          await arrived.promise;
        }
        await page.locator('h2', { hasText: 'pk_live_b' }).waitFor();
        // The page has ended its request already.
        await heldRoutes[0]
          ?.fulfill({ status, json: { ...usage, detail: 'Refused' } })
          .catch(() => undefined);
        await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
        expect(await readTexts('h2')).toContain('pk_live_b');
        expect(await page.locator('#report').isVisible()).toBe(true);
      },
    );

    test.each(['free', 'pro'] as const)(
      'the report has the parts of the plan %s, without the key in any URL or store',
      async (plan) => {
        const { key } = await stage.accounts.open(plan, 20);
        const page = await openWith(key);
        await page.locator('#state', { hasText: 'As of' }).waitFor();
        const text = await page.locator('main').textContent();
        expect(text).toContain(`20 of ${defaultPlans[plan].monthlyRequests.toLocaleString('en')} this month`);
        expect(text).toContain(plan === 'pro' ? 'Requests by day and source' : 'show usage by day');
        const state =
          '[location.href, document.cookie, localStorage.length, sessionStorage.length, history.state]';
        expect(await page.evaluate(state)).toEqual([`${stage.service.url}/account`, '', 0, 0, null]);
        expect(await page.content()).not.toContain(key);
        expect(watched.requestedUrls.filter((url) => url.includes(key))).toEqual([]);
        expect(watched.requestedUrls.filter((url) => !url.startsWith(`${stage.service.url}/`))).toEqual([]);
        expect(await watched.complaints()).toEqual([]);
        await enterKey('pk_live_mistyped');
        await page.locator('#state.bad').waitFor();
        expect(await page.locator('#state').textContent()).toMatch(/key/i);
        expect(await page.locator('#report').isVisible()).toBe(false);
        expect(await page.content()).not.toContain('20 of');
      },
    );

    test.each([1280, 390])(
      'in a window of %i pixels, the report fits without faults of axe',
      async (width) => {
        const { page } = watched;
        await page.setViewportSize({ width, height: 844 });
        await open(busy);
        // The policy of the page does not apply to scripts of the test.
        await page.evaluate(axe.source);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
          expect(await findViolations(page)).toEqual([]);
        }
      },
    );
  });

  describe('the keys on the account page', () => {
    const openKeys = async (key: string) => {
      const page = await openWith(key);
      await page.locator('#keys summary').click();
    };
    const readStatusWith = async (key: string) =>
      (await fetch(`${stage.service.url}/api/usage`, { headers: { 'X-API-Key': key } })).status;
    const findRow = (name: string) => watched.page.locator('#keys tbody tr', { hasText: name });

    test('an owner creates, renames, rotates and revokes a key', async () => {
      const { page } = watched;
      const owner = (await stage.accounts.open('pro', 0)).key;
      await openKeys(owner);
      await page.locator('#key-name').fill('web shop');
      await page.getByRole('button', { name: 'Create' }).click();
      const secret = (await page.locator('#secret').textContent()) ?? '';
      expect(secret).toMatch(/^pk_live_\w{38}$/);
      expect(await page.locator('#keys-state').textContent()).toContain('shown this once only');
      await findRow('web shop').waitFor();
      const cells = await findRow('web shop').locator('td').allTextContents();
      const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
      expect(cells.slice(0, 5)).toEqual(['API key', secret.slice(0, 12), day, '–', 'active']);
      expect(await readStatusWith(secret)).toBe(200);
      await findRow('web shop').getByRole('button', { name: 'Rename' }).click();
      await findRow('renamed').waitFor();
      expect(await page.locator('#secret').count()).toBe(0);
      await findRow('renamed').getByRole('button', { name: 'Rotate' }).click();
      await findRow('ends').waitFor();
      const successor = (await page.locator('#secret').textContent()) ?? '';
      expect([await readStatusWith(secret), await readStatusWith(successor)]).toEqual([200, 200]);
      await findRow('renamed').last().getByRole('button', { name: 'Revoke' }).click();
      await findRow('revoked').waitFor();
      await openKeys(owner);
      await findRow('revoked').waitFor();
      for (const secretText of [secret, successor]) expect(await page.content()).not.toContain(secretText);
      expect(watched.requestedUrls.filter((url) => url.includes(secret))).toEqual([]);
      expect(await watched.complaints()).toEqual([]);
    });

    test('a new secret stays on the page when the list of keys is refused', async () => {
      const { page } = watched;
      await openKeys((await stage.accounts.open('pro', 0)).key);
      await page.route('**/api/keys', (route) =>
        route.request().method() === 'GET'
          ? route.fulfill({ status: 429, json: { detail: 'Later' } })
          : route.continue(),
      );
      await page.locator('#key-name').fill('shop');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.locator('#key-list', { hasText: 'Later' }).waitFor();
      expect(await page.locator('#secret').textContent()).toMatch(/^pk_live_/);
    });

    test('a late secret of an earlier key is not shown under the next key', async () => {
      const { page } = watched;
      await openKeys((await stage.accounts.open('pro', 0)).key);
      const heldRoute = createDeferred<Route>();
      await page.route('**/api/keys', (route) =>
        route.request().method() === 'POST' ? heldRoute.resolve(route) : route.continue(),
      );
      await page.locator('#key-name').fill('late');
      await page.getByRole('button', { name: 'Create' }).click();
      const lateRoute = await heldRoute.promise;
      await enterKey((await stage.accounts.open('pro', 0)).key);
      const secondList = page.waitForResponse((response) => response.request().method() === 'GET');
      await lateRoute.fulfill({ status: 201, json: { name: 'late', secret: 'pk_live_late' } });
      await secondList;
      expect(await page.locator('#secret').count()).toBe(0);
    });

    test('a late list of an earlier key does not replace the list of the last key', async () => {
      const page = await open({});
      const heldRoute = createDeferred<Route>();
      const answerWith = (route: Route, detail: string) => route.fulfill({ status: 403, json: { detail } });
      await page.route('**/api/keys', (route) => {
        if (route.request().headers()['x-api-key'] !== 'pk_live_b') return heldRoute.resolve(route);
        return answerWith(route, 'list of b');
      });
      await page.locator('#keys summary').click();
      const lateRoute = await heldRoute.promise;
      await enterKey('pk_live_b');
      await page.locator('#keys summary').click();
      await page.locator('#key-list', { hasText: 'list of b' }).waitFor();
      await answerWith(lateRoute, 'late list').catch(() => undefined);
      await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
      expect(await readTexts('#key-list')).toEqual(['list of b']);
    });
  });
});
