/** Chromium, and pages in it, for tests in a real browser. */

import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { connectLocalAccounts } from './local-account';
import { getSharedService } from './shared-service';

/** The headless shell first: without the windows of a whole browser it takes a third less time. */
const places = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** `undefined` when there is none; CHROMIUM_PATH names another, and `none` where it is not to be used. */
const chromiumPath =
  process.env['CHROMIUM_PATH'] === 'none'
    ? undefined
    : places.find((path) => path !== undefined && existsSync(path));

/** Describes tests that need the browser, which are left out on a machine without one. */
export const describeInBrowser: jest.Describe = chromiumPath === undefined ? describe.skip : describe;

/**
 * Features that Chromium leaves out. The switch replaces Playwright's own, so that its features stand here
 * too where they matter.
 */
const featuresOff = [
  // Pages of the browser's own, of 350 scripts in each new window: four fifths of the time of a test.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // Requests to hosts of the browser's maker.
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'OptimizationHints',
  // What would ask for HTTPS, wait with the first paint, or keep the pages of a closed context.
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'PaintHolding',
  'DestroyProfileOnBrowserClose',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'ThirdPartyStoragePartitioning',
  'MediaRouter',
  'LensOverlay',
];

/** A browser without background traffic. */
export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('There is no Chromium; set CHROMIUM_PATH');
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // One site is visited at a time, so processes that keep sites apart would only take time to start.
      '--in-process-gpu',
      '--renderer-process-limit=1',
      '--disable-site-isolation-trials',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${featuresOff.join(',')}`,
    ],
  });
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** A browser, and the service that files share. */
export async function openStage() {
  const service = await getSharedService();
  const accounts = await connectLocalAccounts(service.url);
  const browser = await launchChromium();
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    // Smooth scrolling paints many frames, which take long where the processor paints them.
    reducedMotion: 'reduce',
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
  return {
    service,
    accounts,
    browser,
    /** One for all pages, so that the live images come from the browser's cache and use no quota. */
    context,
    async close() {
      await browser.close();
      accounts.close();
    },
  };
}

export type WatchedPage = Awaited<ReturnType<typeof openWatched>>;

/** The violations are reported within the page, so they are kept there. */
const keepViolations = `
  window.violations = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    window.violations.push(event.violatedDirective + ' forbids ' + (event.blockedURI || event.sample));
  });
`;

/** Opens a page that records its errors, its requests and its policy violations. */
export async function openWatched(context: BrowserContext) {
  const page = await context.newPage();
  const complaints: string[] = [];
  const requestedUrls: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (request) =>
    complaints.push(`${request.method()} ${request.url()} failed: ${request.failure()?.errorText}`),
  );
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) requestedUrls.push(request.url());
  });
  await page.addInitScript(keepViolations);
  return {
    page,
    /** URLs requested so far, except data: URLs. */
    requestedUrls,
    /** Errors of the console, exceptions, broken requests and violations of the security policy, in words. */
    complaints: async () => [...complaints, ...(await page.evaluate<string[]>('window.violations'))],
  };
}

/** Returns what axe finds wrong with a page that has loaded it, as rules and elements. */
export async function findViolations(
  page: Page,
): Promise<readonly (readonly [rule: string, elements: readonly string[]])[]> {
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    'axe.run()',
  );
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
