/** Locates and starts Chromium, for tests in a real browser. */

import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** `undefined` when there is none; CHROMIUM_PATH names another. */
const chromiumPath = places.find((path) => path !== undefined && existsSync(path));

/** Describes tests that need the browser, which are left out on a machine without one. */
export const describeInBrowser: jest.Describe = chromiumPath === undefined ? describe.skip : describe;

/** A browser without background traffic. */
export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('There is no Chromium; set CHROMIUM_PATH');
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
