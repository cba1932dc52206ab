/** The command line tool as a bundle, which starts in a fraction of the time that its sources need to be compiled. */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { bundlePageAssets } from '../../lib/functions/page-assets';

const root = join(__dirname, '../..');
const cache = join(root, '.cache', 'built-program');
const keptMs = 24 * 3_600_000;

/** All that a bundle depends on: sources, packages and how it is made. */
const sources = [
  'bin',
  'lambda',
  'lib/functions',
  'packages/client/src',
  'packages/scene/src',
  'package-lock.json',
  relative(root, __filename),
];

/** Packages with native parts, with files that they find beside their own, or whose modules are reached one by one. */
const external = ['sharp', 'esbuild', 'piscina', 'level', 'classic-level', 'dynalite'];

let program: Promise<string> | undefined;

/** The file to be run in place of `bin/image-redirect.ts`; bundled once for the same sources, and kept in `.cache`. */
export function builtProgram(): Promise<string> {
  program ??= bundled();
  return program;
}

async function bundled(): Promise<string> {
  const folder = join(cache, hashOf(sources.flatMap(filesOf)));
  const file = join(folder, 'program.mjs');
  if (existsSync(file)) return file;
  const draft = `${folder}.${process.pid}`;
  await bundle(draft);
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another process has bundled the same sources meanwhile.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(file)) throw error;
  }
  removeOld();
  return file;
}

/** Files of a folder or the one file, relative to the project. */
function filesOf(path: string): readonly string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of [...files].sort()) {
    const bytes = readFileSync(join(root, file));
    hash.update(`${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Bundles of sources that have changed since. A service that runs may still load parts of one. */
function removeOld(): void {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > keptMs) rmSync(folder, { recursive: true, force: true });
  }
}

async function bundle(outdir: string): Promise<void> {
  mkdirSync(outdir, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: { program: 'bin/image-redirect.ts', worker: 'bin/local/workers/run-invocation.ts' },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    outExtension: { '.js': '.mjs' },
    external,
    plugins: [inPlace],
    banner: { js: commonJsNames },
    logLevel: 'silent',
  });
}

/** What the CommonJS packages inside find in their own modules. */
const commonJsNames = [
  "import { createRequire as requireFrom } from 'node:module';",
  'const require = requireFrom(import.meta.url);',
  'const [__filename, __dirname] = [import.meta.filename, import.meta.dirname];',
].join('\n');

/** Lets the sources find files beside them, worker threads run the bundle, and the page's scripts be bundled once. */
const inPlace: Plugin = {
  name: 'in-place',
  setup({ onLoad }) {
    onLoad({ filter: /\/(bin|lib|lambda)\/[^:]*\.ts$/ }, async ({ path }) => {
      const place = relative(root, path);
      if (place === 'lib/functions/page-assets.ts')
        return { contents: `export const bundlePageAssets = () => (${JSON.stringify(bundlePageAssets())});` };
      const isBesideWorker = place === 'bin/local/workers/worker-threads.ts';
      const contents = (await readFile(path, 'utf8'))
        .replaceAll('__dirname', isBesideWorker ? 'import.meta.dirname' : JSON.stringify(dirname(path)))
        .replaceAll('__filename', JSON.stringify(path));
      return { contents, loader: 'ts' };
    });
  },
};
