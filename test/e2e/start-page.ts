/** The start page of a local service in a browser, with the actions of a visitor. */

import { startFixture } from '../fakes/fixture';
import { describeInBrowser, openStage, openWatched, type Stage } from './chromium';

type StartPage = Awaited<ReturnType<typeof openStartPage>>;

/**
 * Describes tests of the start page: one browser for all of them, and a page for each.
 * @param tests gets the page and the browser, whose members are there within a test
 */
export function describeStartPage(name: string, tests: (startPage: StartPage, stage: Stage) => void): void {
  describeInBrowser(name, () => {
    const stage = startFixture(openStage);
    const startPage = {} as StartPage;
    beforeEach(async () => void Object.assign(startPage, await openStartPage(stage)));
    afterEach(() => startPage.page?.close());
    tests(startPage, stage);
  });
}

async function openStartPage({ service, context }: Stage) {
  const watched = await openWatched(context);
  const { page } = watched;
  await page.goto(`${service.url}/`);
  const readVisibleText = async (selector: string) => (await page.locator(selector).textContent()) ?? '';
  /** Fills the form; other fields stay unchanged. */
  const fill = async (fields: Readonly<Record<string, string>>) => {
    await page.evaluate('document.querySelector("#try details").open = true');
    for (const [name, value] of Object.entries(fields)) {
      const field = page.locator(`#try [name="${name}"]`);
      if ((await field.evaluate(({ tagName }) => tagName)) === 'SELECT') await field.selectOption(value);
      else await field.fill(value);
    }
  };
  /** Waits for the answer to a try, and for its image; without one, the width is 0 pixels. */
  const answer = async () => {
    await page.locator('#go:not([disabled])').waitFor();
    const size = await page.evaluate<{ width: number; height: number }>(`(async () => {
      const image = document.querySelector('#canvas img');
      if (image) await image.decode();
      return { width: image?.naturalWidth ?? 0, height: image?.naturalHeight ?? 0 };
    })()`);
    return { state: await readVisibleText('#state'), ...size };
  };
  return {
    ...watched,
    readVisibleText,
    fill,
    answer,
    /** Reads the code of a tab. */
    async readCode(tab: string) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      return readVisibleText('#snippet');
    },
    /** Reads what the page has copied. */
    async readCopiedText() {
      await page.locator('#said', { hasText: 'Copied' }).waitFor();
      return page.evaluate<string>('navigator.clipboard.readText()');
    },
    /** Fills the form, submits it and waits for the answer. */
    async tryOut(fields: Readonly<Record<string, string>>) {
      await fill(fields);
      await page.locator('#go').click();
      return answer();
    },
  };
}
