/** The start page is accessible by keyboard, on a phone, and in light and dark mode. */

import { createDeferred } from '../../fakes/deferred';
import { tooFaint } from './contrast';
import { describeStartPage } from './start-page';

jest.setTimeout(60_000);

describeStartPage('the start page', (at) => {
  test('can be used with the keyboard alone: the form is reached in its order, and Enter submits it', async () => {
    const focused = () =>
      at.start.page.evaluate<{ name: string; ring: string }>(`(() => {
        const { activeElement } = document;
        return { name: activeElement.name || activeElement.textContent.trim(), ring: getComputedStyle(activeElement).outlineStyle };
      })()`);
    const passed: string[] = [];
    for (let i = 0; i < 40 && passed.at(-1) !== 'Show image'; i++) {
      await at.start.page.keyboard.press('Tab');
      const { name, ring } = await focused();
      expect([name, ring]).not.toEqual([name, 'none']);
      passed.push(name);
    }
    expect(passed[0]).toBe('Skip to the content');
    const fields = [
      'query',
      'size',
      'width',
      'height',
      'provider',
      'seed',
      'lang',
      'avoid',
      'color',
      'license',
      'crop',
      'onmiss',
    ];
    expect(passed.slice(passed.indexOf('query'))).toEqual([...fields, 'key', 'Show image']);

    const { key } = await at.stage.accounts.open('free', 0);
    await at.start.page.keyboard.press('Shift+Tab');
    await at.start.page.keyboard.type(key);
    await at.start.page.keyboard.press('Enter');
    expect(await at.start.answer()).toMatchObject({ width: 1200, height: 800 });
  });

  test('scrolls to the response on a phone, where it is below the form, before its image is loaded', async () => {
    await at.start.page.setViewportSize({ width: 390, height: 844 });
    const { key } = await at.stage.accounts.open('free', 0);
    const loading = createDeferred<void>();
    await at.start.page.route('**/cdn/**', async (route) => {
      await loading.promise;
      await route.continue();
    });
    const place = () =>
      at.start.page.evaluate<{ size: number[]; top: number; bottom: number }>(`(() => {
        const { width, height, top, bottom } = document.querySelector('#canvas img').getBoundingClientRect();
        return { size: [width, height], top, bottom };
      })()`);
    await at.start.fill({ query: 'phone', key });
    await at.start.page.locator('#go').click();
    await at.start.page.locator('#canvas img').waitFor();
    await at.start.page.locator('#go:not([disabled])').waitFor();
    const before = await place();
    expect(before.size).toEqual([348, 232]);
    expect(before.top).toBeGreaterThanOrEqual(0);
    expect(before.bottom).toBeLessThanOrEqual(844);
    loading.resolve(undefined);
    await at.start.answer();
    const after = await place();
    expect(after.size).toEqual(before.size);
    expect(after.bottom).toBeLessThanOrEqual(844);
  });

  test.each([1280, 390])('fits a window of %i pixels, in the light and in the dark', async (width) => {
    await at.start.page.setViewportSize({ width, height: 844 });
    const { key } = await at.stage.accounts.open('free', 0);
    await at.start.tryOut({ query: 'mountain lake', key });
    const isInSight = `document.getElementById('canvas').getBoundingClientRect().bottom <= innerHeight + 1`;
    expect(await at.start.page.evaluate(isInSight)).toBe(true);
    await at.start.page.evaluate('for (const it of document.querySelectorAll("details")) it.open = true');
    for (const colorScheme of ['light', 'dark'] as const) {
      await at.start.page.emulateMedia({ colorScheme });
      await at.start.showExamples();
      expect(await at.start.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await at.start.page.evaluate<string[]>(tooFaint)).toEqual([]);
      await at.start.keep(`${width}-${colorScheme}`, 'page');
    }
  });
});
