/** Locates and starts Chromium, for tests in a real browser. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';

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

/** What Chromium leaves out. The switch replaces Playwright's own, so that its features stand here too where they matter. */
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

const screenshots = process.env['SCREENSHOTS'];

/**
 * Keeps what is seen, for the eye, in the folder that SCREENSHOTS names; without it nothing, as painting a whole page
 * takes longer than most tests.
 * @param name of the file, without its ending
 */
export async function keepScreenshot(
  seen: Page | Locator,
  name: string,
  options: { readonly fullPage?: boolean } = {},
): Promise<void> {
  if (screenshots) await seen.screenshot({ path: join(screenshots, `${name}.png`), ...options });
}
