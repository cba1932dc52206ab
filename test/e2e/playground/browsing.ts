/** A browser page that records its errors, its requests to other hosts and its policy violations. */

import type { BrowserContext, Page } from 'playwright-core';

export interface WatchedPage {
  readonly page: Page;
  /** Errors of the console, exceptions, broken requests and violations of the content security policy, in words. */
  complaints(): Promise<readonly string[]>;
  /** URLs requested so far, except data: URLs. */
  readonly asked: readonly string[];
}

/** The violations are reported within the page, so they are kept there. */
const keepViolations = `
  window.violations = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    window.violations.push(event.violatedDirective + ' forbids ' + (event.blockedURI || event.sample));
  });
`;

export async function openWatched(context: BrowserContext): Promise<WatchedPage> {
  const page = await context.newPage();
  const heard: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) heard.push(message.text());
  });
  page.on('pageerror', (error) => heard.push(String(error)));
  page.on('requestfailed', (request) =>
    heard.push(`${request.method()} ${request.url()} failed: ${request.failure()?.errorText}`),
  );
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) asked.push(request.url());
  });
  await page.addInitScript(keepViolations);
  return {
    page,
    asked,
    complaints: async () => [...heard, ...(await page.evaluate<string[]>('window.violations'))],
  };
}
