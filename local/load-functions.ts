/** Loads the functions behind the gateway from the very files that run in Lambda; their environment must be set by then. */

import type { SweepEvent } from '../lambda/generation/sweep-event';
import { bundlePageAssets } from '../lib/functions/page-assets';
import type { GatewayFunctions } from './gateway/gateway';

export interface LocalFunctions extends GatewayFunctions {
  /** Settles what earlier runs have left behind; in AWS a schedule calls it. */
  readonly sweep: (event: SweepEvent) => Promise<unknown>;
}

export async function loadFunctions(): Promise<LocalFunctions> {
  globalThis.PAGE_ASSETS = bundlePageAssets();
  const [authorizer, redirect, usage, docs, sweeper] = await Promise.all([
    import('../lambda/functions/authorizer/main'),
    import('../lambda/functions/redirect/main'),
    import('../lambda/functions/usage/main'),
    import('../lambda/functions/docs/main'),
    import('../lambda/functions/sweeper/main'),
  ]);
  return {
    authorizer: authorizer.handler,
    handlers: { redirect: redirect.handler, usage: usage.handler, docs: docs.handler },
    sweep: sweeper.handler,
  };
}
