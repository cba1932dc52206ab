/** Wires the docs function to its environment. */

import { createContent } from '../../docs/content';
import { edgeOf } from '../../http/edge';
import { startFunction } from '../start-function';
import { createHandler } from './handler';
import { settings } from './settings';

const { config, clock, telemetry } = startFunction('docs', settings, process.env);
const assets = globalThis.PAGE_ASSETS;
if (assets === undefined) throw new Error('PAGE_ASSETS is not defined: the function was loaded unbundled.');

/** Entry point of the deployed function. */
export const handler = createHandler({
  content: createContent(config.PLANS, assets, config.EXAMPLES_URL),
  clientPackageUrl: config.CLIENT_PACKAGE_URL,
  certificates: config.CONTENT_CERTIFICATES,
  edge: edgeOf(config),
  clock,
  telemetry,
});
