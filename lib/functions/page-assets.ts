/** The browser code of the pages. The bundle of `api` holds it as a constant. */

import { join } from 'node:path';
import { buildSync } from 'esbuild';

/** The expression that esbuild replaces by the assets. */
export const pageAssetsName = 'globalThis.PAGE_ASSETS';

/** Bundles script and style sheet of each page, minified. */
export function bundlePageAssets() {
  const assetsOf = (name: string) => ({ script: bundle(`${name}.ts`), style: bundle(`${name}.css`) });
  return { docs: assetsOf('page'), account: assetsOf('account') };
}

function bundle(entry: string): string {
  const { outputFiles } = buildSync({
    absWorkingDir: join(__dirname, '../..'),
    entryPoints: [`lambda/docs/page/browser/${entry}`],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2020',
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text.trimEnd() ?? '';
}
