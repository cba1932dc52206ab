/** The start page of a local service in a browser, with the actions of a visitor. */

import type { BrowserContext, Page } from 'playwright-core';
import {
  describeInBrowser,
  keepScreenshot,
  openStage,
  openWatched,
  type Stage,
  type WatchedPage,
} from './chromium';

/** The state of the page after a request; without an image, the width is 0 pixels. */
export interface Shown {
  readonly state: string;
  readonly width: number;
  readonly height: number;
}

export interface StartPage extends WatchedPage {
  textOf(selector: string): Promise<string>;
  /** Reads the code of a tab. */
  codeOf(tab: string): Promise<string>;
  /** Reads what the page has copied. */
  copied(): Promise<string>;
  /** Scrolls every example into view and waits until it is shown. */
  showExamples(): Promise<void>;
  /** Fills the form; other fields stay unchanged. */
  fill(values: Readonly<Record<string, string>>): Promise<void>;
  /** Waits for the answer to a try, and for its image if there is one. */
  answer(): Promise<Shown>;
  /** Fills the form, submits it and waits for the answer. */
  tryOut(values: Readonly<Record<string, string>>): Promise<Shown>;
  /** Keeps what is seen of the whole page for the eye. */
  keep(name: string): Promise<void>;
}

async function openStartPage({ service }: Stage, context: BrowserContext): Promise<StartPage> {
  const watched = await openWatched(context);
  const { page } = watched;
  await page.goto(`${service.url}/`);
  return { ...watched, ...actionsOn(page) };
}

/**
 * Describes tests of the start page: one browser for all of them, and a page for each.
 * @param tests gets what the hooks have opened, to be read within a test
 */
export function describeStartPage(
  name: string,
  tests: (at: { readonly stage: Stage; start: StartPage }) => void,
): void {
  describeInBrowser(name, () => {
    const at = {} as { stage: Stage; start: StartPage };
    beforeAll(async () => {
      at.stage = await openStage();
    });
    afterAll(() => at.stage?.close());
    beforeEach(async () => {
      at.start = await openStartPage(at.stage, at.stage.context);
    });
    afterEach(() => at.start?.page.close());
    tests(at);
  });
}

function actionsOn(page: Page): Omit<StartPage, keyof WatchedPage> {
  const textOf: StartPage['textOf'] = async (selector) => (await page.locator(selector).textContent()) ?? '';
  const fill: StartPage['fill'] = async (values) => {
    await page.evaluate('document.querySelector("#try details").open = true');
    for (const [name, value] of Object.entries(values)) {
      const field = page.locator(`#try [name="${name}"]`);
      if ((await field.evaluate(({ tagName }) => tagName)) === 'SELECT') await field.selectOption(value);
      else await field.fill(value);
    }
  };
  const answer: StartPage['answer'] = async () => {
    await page.locator('#go:not([disabled])').waitFor();
    const { width, height } = await page.evaluate<Omit<Shown, 'state'>>(`(async () => {
      const image = document.querySelector('#canvas img');
      if (image) await image.decode();
      return { width: image?.naturalWidth ?? 0, height: image?.naturalHeight ?? 0 };
    })()`);
    return { state: await textOf('#state'), width, height };
  };
  return {
    textOf,
    fill,
    answer,
    async codeOf(tab) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      return textOf('#snippet');
    },
    async copied() {
      await page.locator('#said', { hasText: 'Copied' }).waitFor();
      return page.evaluate<string>('navigator.clipboard.readText()');
    },
    async tryOut(values) {
      await fill(values);
      await page.locator('#go').click();
      return answer();
    },
    showExamples: () =>
      page.evaluate(`(async () => {
        for (const image of document.querySelectorAll('#canvas img, #gallery img')) {
          image.scrollIntoView({ behavior: 'instant', block: 'center' });
          await image.decode();
        }
      })()`),
    keep: (name) => keepScreenshot(page, `playground-${name}`, { fullPage: true }),
  };
}
