/** Loads the functions from the very files that run in Lambda; their environment must be set by then. */

import { functionTimeoutsS } from '../../lambda/contract/timeouts';
import { bundlePageAssets } from '../../lib/functions/page-assets';
import type { LocalFunction } from './aws/lambda-endpoint';
import type { GatewayFunctions } from './gateway/gateway';

export interface LocalFunctions extends GatewayFunctions {
  /** Invoked by other functions, by name. */
  readonly invoked: Readonly<Record<'renderer' | 'generator', LocalFunction>>;
  /** Settles what earlier runs have left behind; in AWS a schedule calls it. */
  readonly sweep: (event: { readonly everything?: boolean }) => Promise<unknown>;
}

export async function loadFunctions(): Promise<LocalFunctions> {
  globalThis.PAGE_ASSETS = bundlePageAssets();
  const [authorizer, redirect, usage, docs, renderer, generator, sweeper] = await Promise.all([
    import('../../lambda/functions/authorizer/main'),
    import('../../lambda/functions/redirect/main'),
    import('../../lambda/functions/usage/main'),
    import('../../lambda/functions/docs/main'),
    import('../../lambda/functions/renderer/main'),
    import('../../lambda/functions/generator/main'),
    import('../../lambda/functions/sweeper/main'),
  ]);
  return {
    authorizer: authorizer.handler,
    handlers: { redirect: redirect.handler, usage: usage.handler, docs: docs.handler },
    invoked: {
      renderer: { handler: renderer.handler, timeoutMs: functionTimeoutsS.renderer * 1_000 },
      generator: { handler: generator.handler, timeoutMs: functionTimeoutsS.generator * 1_000 },
    },
    sweep: sweeper.handler,
  };
}
