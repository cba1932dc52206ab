/** The examples under "Use it in …": tabs for mouse, keyboard and screen reader, and a list where no script runs. */

import { keepScreenshot } from '../chromium';
import { tooFaint } from './contrast';
import { describeStartPage } from './start-page';

jest.setTimeout(60_000);

const labels = ['HTML', 'Next.js', 'Astro', 'Nuxt', 'MCP'];

describeStartPage('the tabs of the start page', (at) => {
  const tab = (name: string) => at.start.page.getByRole('tab', { name, exact: true });
  const panel = (name: string) => at.start.page.getByRole('tabpanel', { name, exact: true });
  const shownPanels = () => at.start.page.getByRole('tabpanel').count();
  const selected = () => at.start.page.locator('[role="tab"][aria-selected="true"]').allTextContents();
  const focused = () => at.start.page.evaluate<string>('document.activeElement.textContent');

  test('are a labelled list of five, one of which is selected and shows its panel', async () => {
    expect(await at.start.page.getByRole('tablist', { name: 'Use it in …' }).count()).toBe(1);
    expect(await at.start.page.getByRole('tab').allTextContents()).toEqual(labels);
    for (const name of labels) {
      await tab(name).click();
      expect([await selected(), await shownPanels()]).toEqual([[name], 1]);
      expect(await panel(name).isVisible()).toBe(true);
      expect(await panel(name).locator('pre code').first().textContent()).not.toBe('');
    }
    expect(await at.start.complaints()).toEqual([]);
  });

  test('are one stop for the tab key; arrows, Home and End lead from one to another', async () => {
    await tab('HTML').focus();
    for (const [key, name] of [
      ['ArrowRight', 'Next.js'],
      ['End', 'MCP'],
      ['ArrowRight', 'HTML'],
      ['ArrowLeft', 'MCP'],
      ['ArrowLeft', 'Nuxt'],
      ['Home', 'HTML'],
    ] as const) {
      await at.start.page.keyboard.press(key);
      expect([await focused(), await selected(), await shownPanels()]).toEqual([name, [name], 1]);
    }
    await at.start.page.keyboard.press('ArrowRight');
    await at.start.page.keyboard.press('Tab');
    // The first button of the panel, not the next tab.
    expect(await focused()).toBe('Copy');
    await at.start.page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe('Next.js');
    const ring = '[getComputedStyle(document.activeElement).outlineStyle]';
    expect(await at.start.page.evaluate(ring)).not.toEqual(['none']);
  });

  test('open by a link to their panel', async () => {
    await at.start.page.goto(`${at.stage.service.url}/#use-nuxt`);
    await at.start.page.reload();
    expect(await selected()).toEqual(['Nuxt']);
    await at.start.page.evaluate('location.hash = "#use-astro"');
    await panel('Astro').waitFor();
    expect(await selected()).toEqual(['Astro']);
  });

  test('copy an example as it is shown', async () => {
    await at.stage.context.grantPermissions(['clipboard-read', 'clipboard-write'], {
      origin: at.stage.service.url,
    });
    await tab('Nuxt').click();
    await panel('Nuxt').getByRole('button').first().click();
    await at.start.page.locator('#said:not(:empty)').waitFor({ state: 'attached' });
    expect(await at.start.page.evaluate('navigator.clipboard.readText()')).toBe(
      await at.start.textOf('#code-nuxt-1'),
    );
  });

  test('are sections with headings, all of them shown, where no script runs', async () => {
    const context = await at.stage.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${at.stage.service.url}/#use-it-in`);
    expect(await page.locator('[role="tab"]').count()).toBe(0);
    expect(await page.locator('.panel > h3').allTextContents()).toEqual(labels);
    for (const example of await page.locator('.panel').all()) expect(await example.isVisible()).toBe(true);
    await keepScreenshot(page.locator('#use-it-in'), 'tabs-without-script');
    await context.close();
  });

  test.each([1280, 390])('fit a window of %i pixels, in the light and in the dark', async (width) => {
    await at.start.page.setViewportSize({ width, height: 844 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.start.page.emulateMedia({ colorScheme });
      for (const name of labels) {
        await tab(name).click();
        expect(await at.start.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(await at.start.page.evaluate<string[]>(tooFaint)).toEqual([]);
      }
      await tab('Next.js').click();
      await keepScreenshot(at.start.page.locator('#use-it-in'), `tabs-${width}-${colorScheme}`);
    }
  });
});
