/** Bundles the browser code of the pages, which becomes a constant of the docs function. */

import { join } from 'node:path';
import { buildSync } from 'esbuild';

/** The expression that the bundle of the function replaces by the assets. */
export const pageAssetsName = 'globalThis.PAGE_ASSETS';

const root = join(__dirname, '..', '..');
const folder = 'lambda/docs/page/browser';

/** Script and style sheet of each page, minified; @throws what esbuild throws, with the place of the fault. */
export function bundlePageAssets() {
  const assetsOf = (name: string) => ({
    script: bundled(`${folder}/${name}.ts`),
    style: bundled(`${folder}/${name}.css`),
  });
  return { docs: assetsOf('page'), account: assetsOf('account') };
}

function bundled(entry: string): string {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [entry],
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
