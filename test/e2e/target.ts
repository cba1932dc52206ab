/** The target of the end-to-end tests: the deployment named by E2E_URL with E2E_LIVE_KEY and E2E_TEST_KEY, else a local service. */

import { sharedService } from './shared-service';

export interface Target {
  readonly url: string;
  readonly keys: { readonly live: string; readonly test: string };
}

export async function openTarget(): Promise<Target> {
  const { E2E_URL: url, E2E_LIVE_KEY: live, E2E_TEST_KEY: test } = process.env;
  if (url !== undefined) {
    if (!live || !test) throw new Error('E2E_URL needs E2E_LIVE_KEY and E2E_TEST_KEY beside it');
    return { url: url.replace(/\/+$/, ''), keys: { live, test } };
  }
  const service = await sharedService();
  return { url: service.url, keys: service.keys.pro };
}
