/** Wires the docs function to its environment. */

import { defaultSite } from '../../contract/site';
import { noPagesKept } from '../../docs/content';
import { edgeOf } from '../../http/edge';
import { startFunction } from '../start-function';
import { docsHandler } from './handler';
import { settings } from './settings';

const { config, clock, telemetry } = startFunction('docs', settings, process.env);
const assets = globalThis.PAGE_ASSETS;
if (assets === undefined) throw new Error('PAGE_ASSETS is not defined: the function was loaded unbundled.');

/** Entry point of the deployed function. */
export const handler = docsHandler(
  {
    documents: {
      plans: config.PLANS,
      site: defaultSite,
      examplesUrl: config.EXAMPLES_URL,
      demoKey: config.DEMO_KEY,
      assets,
      kept: noPagesKept(),
    },
    clientPackageUrl: config.CLIENT_PACKAGE_URL,
    certificates: config.CONTENT_CERTIFICATES,
    clock,
    telemetry,
  },
  edgeOf(config),
);
