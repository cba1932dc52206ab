/** The account page in a real browser: what an owner finds on it, how it is read and saved, and that the key stays in it. */

import axe from 'axe-core';
import { defaultPlans as plans } from '../../../lambda/contract/plans';
import { describeInBrowser, keepScreenshot } from '../chromium';
import { openWatched, type WatchedPage } from '../playground/browsing';
import { tooFaint } from '../playground/contrast';
import { openStage, type Stage } from '../playground/start-page';
import { type SeededMonth, seedMonth } from './seeded-month';

describeInBrowser('the account page', () => {
  let stage: Stage;
  let month: SeededMonth;
  let watched: WatchedPage;
  beforeAll(async () => {
    stage = await openStage();
    month = await seedMonth(stage.accounts, Date.now());
  });
  afterAll(() => stage?.close());
  beforeEach(async () => {
    watched = await openWatched(stage.context);
    await watched.page.goto(`${stage.service.url}/account`);
  });
  afterEach(() => watched?.page.close());

  const open = async (key: string) => {
    await watched.page.locator('main input[type=password]').fill(key);
    await watched.page.keyboard.press('Enter');
    await watched.page.locator('#state:not(:empty)', { hasNotText: 'Loading' }).waitFor();
  };
  const main = () => watched.page.locator('main');

  test('tells an owner the day on which a key spent most, without a click', async () => {
    await open(month.key);
    const { name, date, requests } = month.peak;
    const day = new Date(date).toLocaleString('en-GB', {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC',
    });
    const figure = main().locator('figure', { hasText: 'Requests by day and key' });
    const said = `Furthest above a usual day: ${name} on ${day} with ${requests.toLocaleString('en')}, usually `;
    expect(await figure.locator('figcaption p').textContent()).toContain(said);
    // Also where it is seldom used, it has a colour of its own.
    expect(await figure.locator('.legend li').first().textContent()).toContain(name);
    // The same in the table of the chart, which the keyboard opens.
    await figure.locator('summary').focus();
    await watched.page.keyboard.press('Enter');
    const row = figure.locator('tr', { hasText: day });
    expect(await row.isVisible()).toBe(true);
    expect(await row.textContent()).toContain(requests.toLocaleString('en'));
  });

  test('shows what is used, and refusals by code', async () => {
    await open(month.key);
    const text = await main().textContent();
    const used = month.used.toLocaleString('en');
    expect(text).toContain(`${used} of 500,000 this month`);
    for (const code of ['rate_limited', 'no_image_found', 'invalid_parameter']) expect(text).toContain(code);
  });

  test('has one number for what was charged: used, the sums of days, sources and keys, and the month', async () => {
    await open(month.key);
    const figure = (title: string) => main().locator('figure', { hasText: title });
    const numbers = (texts: readonly string[]) => texts.map((text) => Number(text.replaceAll(',', '')));
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    const columnOf = async (title: string, column: number) =>
      numbers(await figure(title).locator(`tbody tr > :nth-child(${column})`).allTextContents());
    const legendOf = async (title: string) =>
      numbers(await figure(title).locator('.legend b').allTextContents());
    for (const title of ['Requests by day and key', 'Requests by day and source']) {
      expect([title, sum(await columnOf(title, 2))]).toEqual([title, month.used]);
      expect([title, sum(await legendOf(title))]).toEqual([title, month.used]);
    }
    for (const title of ['Sources', 'Keys']) {
      const table = main().getByRole('table', { name: title, exact: true });
      const cells = await table.locator('tbody td:nth-child(2)').allTextContents();
      expect([title, sum(numbers(cells))]).toEqual([title, month.used]);
    }
    expect((await columnOf('Requests by month', 2)).at(-1)).toBe(month.used);
    expect(await main().textContent()).toContain(`${month.free.toLocaleString('en')} more were free`);
  });

  test('gives each chart a name, and a table with the same numbers beside it', async () => {
    await open(month.key);
    const figures = await main().locator('figure').all();
    expect(figures.length).toBe(3);
    for (const figure of figures) {
      expect(await figure.locator('.plot[role=img]').getAttribute('aria-label')).toMatch(/\w/);
      expect(await figure.locator('table th[scope=col]').count()).toBeGreaterThan(1);
      expect(await figure.locator('table th[scope=row]').count()).toBeGreaterThan(0);
    }
  });

  test('keeps the key in the tab: in no URL, store, markup or answer of another host', async () => {
    await open(month.key);
    const { page } = watched;
    const state =
      '[location.href, document.cookie, localStorage.length, sessionStorage.length, history.state]';
    expect(await page.evaluate(state)).toEqual([`${stage.service.url}/account`, '', 0, 0, null]);
    expect(await page.content()).not.toContain(month.key);
    expect(watched.asked.filter((url) => url.includes(month.key))).toEqual([]);
    expect(watched.asked.filter((url) => !url.startsWith(`${stage.service.url}/`))).toEqual([]);
    expect(await watched.complaints()).toEqual([]);
    expect(await month.taken()).toBe(month.used);
  });

  test('says what is wrong with a key, and shows nothing of the account before', async () => {
    await open(month.key);
    await open('pk_live_mistyped');
    expect(await page().locator('#state').textContent()).toMatch(/key/i);
    expect(await page().locator('#report').isVisible()).toBe(false);
    expect(await page().content()).not.toContain('Harbor Hotels');
  });
  const page = () => watched.page;

  test.each([
    ['free', 'Plans pro and up'],
    ['pro', 'Requests by day and source'],
  ] as const)('shows an account on plan %s what its plan has', async (plan, said) => {
    await open((await stage.accounts.open(plan, 20)).key);
    const text = await main().textContent();
    expect(text).toContain(said);
    expect(text).toContain(`20 of ${plans[plan].monthlyRequests.toLocaleString('en')} this month`);
    expect(text).not.toContain('by day and key');
  });

  test.each([1280, 390])(
    'fits a window of %i pixels and passes axe, in the light and in the dark',
    async (width) => {
      await page().setViewportSize({ width, height: 844 });
      await open(month.key);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page().emulateMedia({ colorScheme });
        await keepScreenshot(page(), `account-${width}-${colorScheme}`, { fullPage: true });
        expect(await page().evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(await page().evaluate<string[]>(tooFaint)).toEqual([]);
        // In a world of its own, which the policy of the page leaves alone.
        await page().evaluate(axe.source);
        const { violations } = await page().evaluate<{
          violations: { id: string; nodes: { html: string }[] }[];
        }>('axe.run()');
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      }
    },
  );
});
