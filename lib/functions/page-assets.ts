/** Bundles the browser code of the pages, which becomes a constant of the docs function. */

import { join } from 'node:path';
import { buildSync, type Metafile } from 'esbuild';

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

/** What esbuild says of the scripts of the pages; their paths are relative to the project. */
export function pageMetafiles(): readonly Metafile[] {
  return ['page', 'account'].map((name) => build(`${folder}/${name}.ts`).metafile);
}

const bundled = (entry: string) => build(entry).outputFiles[0]?.text.trimEnd() ?? '';

function build(entry: string) {
  return buildSync({
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
    metafile: true,
  });
}
