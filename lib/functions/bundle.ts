/** Bundles functions and the browser code of the pages with esbuild. */

import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync, type Metafile } from 'esbuild';
import { functionNodeVersion } from '../../lambda/contract/functions';
import { drawErrorCardsJson } from '../error-cards';

/** The folder of the project. Entries are relative to it, so that no hash depends on the place of the checkout. */
export const projectRoot = join(__dirname, '..', '..');

const minifying = { absWorkingDir: projectRoot, bundle: true, minify: true, legalComments: 'none' } as const;

/** A bundled function. `main.mjs` in the absolute `folder` exports `handler`. */
export type Bundle = { readonly folder: string; readonly metafile: Metafile };

/** Names the source file of a function: `warm-main.ts`, which awaits at the top level, or else `main.ts`. */
export function findFunctionEntry(name: string): string {
  const warm = `lambda/functions/${name}/warm-main.ts`;
  return existsSync(join(projectRoot, warm)) ? warm : `lambda/functions/${name}/main.ts`;
}

/** Returns true if a bundle imports sharp, which is deployed beside it with its native library. */
export const importsSharp = ({ metafile }: Bundle) =>
  Object.values(metafile.outputs).some(({ imports }) => imports.some(({ path }) => path === 'sharp'));

/**
 * Bundles a function as ES modules. A module that it imports later is a separate file. Equal sources give equal bytes.
 * @param entry source file that exports `handler`, relative to the project
 * @param outDir folder to write to, which is emptied
 * @throws what esbuild throws, with the place of the fault
 */
export function bundleFunction(entry: string, outDir: string): Bundle {
  const folder = resolve(projectRoot, outDir);
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = buildSync({
    ...minifying,
    entryPoints: { main: entry },
    outdir: folder,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: `node${functionNodeVersion}`,
    // The SDK's ES modules tree-shake. By default esbuild takes CommonJS for Node.
    mainFields: ['module', 'main'],
    external: ['sharp'],
    outExtension: { '.js': '.mjs' },
    // CommonJS packages in the bundle call `require`, which ES modules lack.
    banner: { js: "const require=process.getBuiltinModule('module').createRequire(import.meta.url);" },
    // The cards are a text, because esbuild puts an object into a file that every other file loads.
    define: {
      'globalThis.PAGE_ASSETS': JSON.stringify(bundlePageAssets()),
      'globalThis.ERROR_CARDS': JSON.stringify(drawErrorCardsJson()),
    },
    metafile: true,
    logLevel: 'silent',
  });
  return { folder, metafile };
}

/** Bundles script and style sheet of each page. The bundle of `api` holds them as a constant. */
export function bundlePageAssets() {
  const bundle = (entry: string): string => {
    const { outputFiles } = buildSync({
      ...minifying,
      entryPoints: [`lambda/docs/page/browser/${entry}`],
      write: false,
      format: 'iife',
      target: 'es2020',
      charset: 'utf8',
      logLevel: 'silent',
    });
    return outputFiles[0]?.text.trimEnd() ?? '';
  };
  const bundleAssets = (name: string) => ({ script: bundle(`${name}.ts`), style: bundle(`${name}.css`) });
  return { docs: bundleAssets('page'), account: bundleAssets('account') };
}
