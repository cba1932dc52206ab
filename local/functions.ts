/** Loads the functions from the very files that run in Lambda, with the environment as it is now. */

import { lazily } from '../lambda/base/lazily';
import type { LocalFunction } from './aws';
import type { GatewayFunctions } from './gateway';

/** What answers callers, and what those invoke by name. */
interface LocalFunctions {
  readonly api: GatewayFunctions;
  readonly invoked: Readonly<Record<string, LocalFunction>>;
}

/** @throws `ConfigurationError` */
export async function loadFunctions(): Promise<LocalFunctions> {
  // Drawn for the first client that shows no SVG.
  Object.defineProperty(globalThis, 'ERROR_CARDS', { configurable: true, get: drawCards });
  Object.defineProperty(globalThis, 'PAGE_ASSETS', { configurable: true, get: bundlePages });
  const [authorizer, api, renderer, generator] = await Promise.all([
    import('../lambda/functions/authorizer/main'),
    import('../lambda/functions/api/main'),
    import('../lambda/functions/renderer/main'),
    import('../lambda/functions/generator/main'),
  ]);
  return {
    api: { authorizer: authorizer.handler, api: api.handler },
    invoked: { renderer: renderer.handler, generator: generator.handler },
  };
}

const drawCards = lazily(async () =>
  JSON.stringify(await (await import('../lib/error-cards')).drawErrorCards()),
);

/** On first need, since the scripts and styles of the pages are bundled for them. */
const bundlePages = lazily(async () => (await import('../lib/functions/page-assets')).bundlePageAssets());
