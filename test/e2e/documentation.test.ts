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

describeStartPage('in the documentation', (startPage, stage) => {
  const getPage = () => startPage.page;

  test('a link shows one topic, which the menu marks', async () => {
    const shownTopics = `[...document.querySelectorAll('.page')].filter((each) => !each.hidden).map(({ id }) => id)`;
    expect(await getPage().evaluate(shownTopics)).toEqual(['start']);
    for (const [hash, id] of [
      ['guides', 'publish'],
      ['frameworks', 'frameworks'],
      ['quota_exceeded', 'errors'],
      ['plans', 'plans'],
      ['nowhere', 'start'],
    ]) {
      await getPage().evaluate(`location.hash = '${hash}'`);
      await getPage().locator(`#${id}:not([hidden])`).waitFor();
      expect(await getPage().evaluate(shownTopics)).toEqual([id]);
      expect(await getPage().locator('#menu [aria-current]').getAttribute('href')).toBe(`#${id}`);
    }
  });

  test('without scripts, all topics are shown', async () => {
    const context = await stage.browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${stage.service.url}/`);
    for (const topic of await plain.locator('.page').all()) expect(await topic.isVisible()).toBe(true);
    await context.close();
  });

  test('on a phone, a link or Escape closes the menu', async () => {
    await getPage().setViewportSize({ width: 390, height: 844 });
    const menu = getPage().getByRole('navigation');
    expect(await menu.isVisible()).toBe(false);
    const button = getPage().getByRole('button', { name: 'Menu' });
    await button.click();
    expect(await menu.isVisible()).toBe(true);
    await getPage().keyboard.press('Escape');
    expect(await menu.isVisible()).toBe(false);
    expect(await getPage().evaluate('document.activeElement.textContent')).toBe('Menu');
    await button.click();
    await menu.getByRole('link', { name: 'Errors' }).click();
    expect(await menu.isVisible()).toBe(false);
    expect(await getPage().locator('#errors').isVisible()).toBe(true);
  });

  test('the form can be filled and submitted by keyboard', async () => {
    const focusedNames: string[] = [];
    for (let i = 0; i < 40 && focusedNames.at(-1) !== 'Show image'; i++) {
      await getPage().keyboard.press('Tab');
      const { name, ring } = await getPage().evaluate<{ name: string; ring: string }>(`(() => {
        const { activeElement } = document;
        return { name: activeElement.name || activeElement.textContent.trim(), ring: getComputedStyle(activeElement).outlineStyle };
      })()`);
      expect([name, ring]).not.toEqual([name, 'none']);
      focusedNames.push(name);
    }
    expect(focusedNames[0]).toBe('Skip to the content');
    const formFields = focusedNames.filter((name) => /^[a-z]+$/.test(name) && name !== 'coffee');
    expect(formFields).toEqual(['query', 'size', 'provider', 'key']);
    const { key } = await stage.accounts.open('free', 0);
    await getPage().locator('#try [name=key]').focus();
    await getPage().keyboard.type(key);
    await getPage().keyboard.press('Enter');
    expect(await startPage.answer()).toMatchObject({ width: 1200, height: 800 });
  });

  test('the tab key stops once at the tabs of code, where arrow keys move on', async () => {
    const readFocused = () => getPage().evaluate<string>('document.activeElement.textContent');
    await getPage().getByRole('tab', { name: 'HTML' }).focus();
    for (const [key, name] of [
      ['ArrowRight', 'Markdown'],
      ['ArrowLeft', 'HTML'],
      ['ArrowLeft', 'Python'],
      ['ArrowRight', 'HTML'],
    ] as const) {
      await getPage().keyboard.press(key);
      expect(await readFocused()).toBe(name);
      expect(await getPage().locator('[role=tab][aria-selected=true]').allTextContents()).toEqual([name]);
      expect(await getPage().getByRole('tabpanel', { name, exact: true }).count()).toBe(1);
    }
    await getPage().keyboard.press('Tab');
    expect(await readFocused()).toBe('Copy');
    await getPage().keyboard.press('Enter');
    expect(await startPage.readCopiedText()).toBe(await startPage.readVisibleText('#snippet'));
  });

  test('on a phone, the page scrolls to the image before the image is loaded', async () => {
    await getPage().setViewportSize({ width: 390, height: 844 });
    const { key } = await stage.accounts.open('free', 0);
    const loading = createDeferred<void>();
    await getPage().route('**/cdn/stock/**', async (route) => {
      await loading.promise;
      await route.continue();
    });
    await startPage.fill({ query: 'phone', key });
    await getPage().locator('#go').click();
    await getPage().locator('#canvas img[alt=phone]').waitFor();
    await getPage().locator('#go:not([disabled])').waitFor();
    const readScrollPosition = () =>
      getPage().evaluate<number[]>(`(() => {
        const { width, height, top, bottom } = document.querySelector('#canvas img').getBoundingClientRect();
        return [width, Math.round(height), top, bottom];
      })()`);
    const [width = 0, height = 0, top = 0, bottom = 0] = await readScrollPosition();
    expect([width, height]).toEqual([348, 232]);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(bottom).toBeLessThanOrEqual(844);
    loading.resolve(undefined);
    await startPage.answer();
    expect((await readScrollPosition()).slice(0, 2)).toEqual([width, height]);
  });

  test.each([1440, 390])(
    'in a window of %i pixels, the documentation fits without faults of axe',
    async (width) => {
      await getPage().setViewportSize({ width, height: 844 });
      const { key } = await stage.accounts.open('free', 0);
      await startPage.tryOut({ query: 'mountain lake', key });
      // Shows all topics, as on a page without scripts.
      await getPage().evaluate(`for (const it of document.querySelectorAll('details')) it.open = true;
      for (const it of document.querySelectorAll('.page')) it.hidden = false;`);
      // The policy of the page does not apply to scripts of the test.
      await getPage().evaluate(axe.source);
      for (const colorScheme of ['light', 'dark'] as const) {
        await getPage().emulateMedia({ colorScheme });
        expect(await getPage().evaluate<string[]>(sideways)).toEqual([]);
        expect(await findViolations(getPage())).toEqual([]);
      }
    },
  );
});
