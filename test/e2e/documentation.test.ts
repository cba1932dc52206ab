/** The documentation in a real browser: one topic at a time, by keyboard, on a phone, in light and dark. */

import axe from 'axe-core';
import { createDeferred } from '../fakes/clock';
import { findViolations } from './chromium';
import { describeStartPage } from './start-page';

/** An expression for the page: lists the elements that scroll sideways or are wider than the window. */
const sideways = `[...document.querySelectorAll('body, body *')].flatMap((element) => {
  const { overflowX } = getComputedStyle(element);
  const isCut = element.scrollWidth > element.clientWidth + 1 && ['auto', 'scroll'].includes(overflowX);
  return isCut || element.getBoundingClientRect().right > innerWidth + 1 ? [element.outerHTML.slice(0, 80)] : [];
})`;

describeStartPage('in the documentation', (at) => {
  const page = () => at.start.page;

  test('a link shows one topic, which the menu marks', async () => {
    const shown = `[...document.querySelectorAll('.page')].filter((each) => !each.hidden).map(({ id }) => id)`;
    expect(await page().evaluate(shown)).toEqual(['start']);
    for (const [hash, id] of [
      ['guides', 'publish'],
      ['frameworks', 'frameworks'],
      ['quota_exceeded', 'errors'],
      ['plans', 'plans'],
      ['nowhere', 'start'],
    ]) {
      await page().evaluate(`location.hash = '${hash}'`);
      await page().locator(`#${id}:not([hidden])`).waitFor();
      expect(await page().evaluate(shown)).toEqual([id]);
      expect(await page().locator('#menu [aria-current]').getAttribute('href')).toBe(`#${id}`);
    }
  });

  test('without scripts, all topics are shown', async () => {
    const context = await at.stage.browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${at.stage.service.url}/`);
    for (const topic of await plain.locator('.page').all()) expect(await topic.isVisible()).toBe(true);
    await context.close();
  });

  test('on a phone, a link or Escape closes the menu', async () => {
    await page().setViewportSize({ width: 390, height: 844 });
    const menu = page().getByRole('navigation');
    expect(await menu.isVisible()).toBe(false);
    const button = page().getByRole('button', { name: 'Menu' });
    await button.click();
    expect(await menu.isVisible()).toBe(true);
    await page().keyboard.press('Escape');
    expect(await menu.isVisible()).toBe(false);
    expect(await page().evaluate('document.activeElement.textContent')).toBe('Menu');
    await button.click();
    await menu.getByRole('link', { name: 'Errors' }).click();
    expect(await menu.isVisible()).toBe(false);
    expect(await page().locator('#errors').isVisible()).toBe(true);
  });

  test('the form can be filled and submitted by keyboard', async () => {
    const passed: string[] = [];
    for (let i = 0; i < 40 && passed.at(-1) !== 'Show image'; i++) {
      await page().keyboard.press('Tab');
      const { name, ring } = await page().evaluate<{ name: string; ring: string }>(`(() => {
        const { activeElement } = document;
        return { name: activeElement.name || activeElement.textContent.trim(), ring: getComputedStyle(activeElement).outlineStyle };
      })()`);
      expect([name, ring]).not.toEqual([name, 'none']);
      passed.push(name);
    }
    expect(passed[0]).toBe('Skip to the content');
    const fields = passed.filter((name) => /^[a-z]+$/.test(name) && name !== 'coffee');
    expect(fields).toEqual(['query', 'size', 'provider', 'key']);
    const { key } = await at.stage.accounts.open('free', 0);
    await page().locator('#try [name=key]').focus();
    await page().keyboard.type(key);
    await page().keyboard.press('Enter');
    expect(await at.start.answer()).toMatchObject({ width: 1200, height: 800 });
  });

  test('the tab key stops once at the tabs of code, where arrow keys move on', async () => {
    const focused = () => page().evaluate<string>('document.activeElement.textContent');
    await page().getByRole('tab', { name: 'HTML' }).focus();
    for (const [key, name] of [
      ['ArrowRight', 'Markdown'],
      ['ArrowLeft', 'HTML'],
      ['ArrowLeft', 'Python'],
      ['ArrowRight', 'HTML'],
    ] as const) {
      await page().keyboard.press(key);
      expect(await focused()).toBe(name);
      expect(await page().locator('[role=tab][aria-selected=true]').allTextContents()).toEqual([name]);
      expect(await page().getByRole('tabpanel', { name, exact: true }).count()).toBe(1);
    }
    await page().keyboard.press('Tab');
    expect(await focused()).toBe('Copy');
    await page().keyboard.press('Enter');
    expect(await at.start.readCopiedText()).toBe(await at.start.readVisibleText('#snippet'));
  });

  test('on a phone, the page scrolls to the image before the image is loaded', async () => {
    await page().setViewportSize({ width: 390, height: 844 });
    const { key } = await at.stage.accounts.open('free', 0);
    const loading = createDeferred<void>();
    await page().route('**/cdn/stock/**', async (route) => {
      await loading.promise;
      await route.continue();
    });
    await at.start.fill({ query: 'phone', key });
    await page().locator('#go').click();
    await page().locator('#canvas img[alt=phone]').waitFor();
    await page().locator('#go:not([disabled])').waitFor();
    const place = () =>
      page().evaluate<number[]>(`(() => {
        const { width, height, top, bottom } = document.querySelector('#canvas img').getBoundingClientRect();
        return [width, Math.round(height), top, bottom];
      })()`);
    const [width = 0, height = 0, top = 0, bottom = 0] = await place();
    expect([width, height]).toEqual([348, 232]);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(bottom).toBeLessThanOrEqual(844);
    loading.resolve(undefined);
    await at.start.answer();
    expect((await place()).slice(0, 2)).toEqual([width, height]);
  });

  test.each([1440, 390])(
    'in a window of %i pixels, the documentation fits without faults of axe',
    async (width) => {
      await page().setViewportSize({ width, height: 844 });
      const { key } = await at.stage.accounts.open('free', 0);
      await at.start.tryOut({ query: 'mountain lake', key });
      // Shows all topics, as on a page without scripts.
      await page().evaluate(`for (const it of document.querySelectorAll('details')) it.open = true;
      for (const it of document.querySelectorAll('.page')) it.hidden = false;`);
      // The policy of the page does not apply to scripts of the test.
      await page().evaluate(axe.source);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page().emulateMedia({ colorScheme });
        expect(await page().evaluate<string[]>(sideways)).toEqual([]);
        expect(await findViolations(page())).toEqual([]);
      }
    },
  );
});
