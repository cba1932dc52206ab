// Bundles the command line tool of the project, or of the one in the folder that is named, into .cache/ and prints the
// file to be run. A process of its own, as the launcher cannot wait for esbuild, which is loaded when it is needed only.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import {
  bundledProgram,
  bundlesOf,
  hashOfSources,
  isSource,
  keptMs,
  packagesFile,
  programOf,
  stampOf,
} from './built-program.mjs';
import { root } from './root.mjs';

const [project = root] = process.argv.slice(2);
const bundles = bundlesOf(project);

/** Packages with native parts, with files that they find beside their own, or whose modules are reached one by one. */
const external = ['sharp', 'esbuild', 'piscina', 'level', 'classic-level', 'dynalite'];

/** What the CommonJS packages inside find in their own modules. */
const commonJsNames = [
  "import { createRequire as requireFrom } from 'node:module';",
  'const require = requireFrom(import.meta.url);',
  'const [__filename, __dirname] = [import.meta.filename, import.meta.dirname];',
].join('\n');

/** Lets the sources find files beside them, worker threads run the bundle, and the page's scripts be bundled once. */
const inPlace = {
  name: 'in-place',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\](bin|cli|lambda|lib|local)[/\\][^:]*\.ts$/ }, async ({ path }) => {
      const place = relative(project, path).replaceAll('\\', '/');
      if (place === 'lib/functions/page-assets.ts') {
        const { require: requireTypeScript } = await import('tsx/cjs/api');
        const { bundlePageAssets } = requireTypeScript(path, import.meta.url);
        return { contents: `export const bundlePageAssets = () => (${JSON.stringify(bundlePageAssets())});` };
      }
      const isBesideWorker = place === 'local/workers/worker-threads.ts';
      const contents = (await readFile(path, 'utf8'))
        .replaceAll('__dirname', isBesideWorker ? 'import.meta.dirname' : JSON.stringify(dirname(path)))
        .replaceAll('__filename', JSON.stringify(path));
      return { contents, loader: 'ts' };
    });
  },
};

/** Bundles into a folder. @returns size and time of what else than sources has become part, by path */
async function bundle(outdir) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: project,
    entryPoints: { program: bundledProgram, worker: 'local/workers/run-invocation.ts' },
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
    metafile: true,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'silent',
  });
  const others = Object.keys(metafile.inputs).filter((path) => !isSource(path));
  return Object.fromEntries(others.map((path) => [path, stampOf(project, path)]));
}

/** Removes bundles that have not been used for long. */
function removeOld() {
  for (const name of readdirSync(bundles)) {
    const folder = join(bundles, name);
    const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > keptMs) rmSync(folder, { recursive: true, force: true });
  }
}

async function buildProgram() {
  mkdirSync(bundles, { recursive: true });
  for (;;) {
    const hash = hashOfSources(project);
    const found = programOf(project, hash);
    if (found !== undefined) return found;
    // A folder of its own, as other processes may bundle the same sources now, or still run an outdated bundle of them.
    const folder = mkdtempSync(join(bundles, `${hash}-`));
    try {
      const packages = await bundle(folder);
      // A source that was saved meanwhile may be part of it or not.
      if (hashOfSources(project) === hash)
        writeFileSync(join(folder, packagesFile), JSON.stringify(packages));
    } finally {
      if (!existsSync(join(folder, packagesFile))) rmSync(folder, { recursive: true, force: true });
    }
    removeOld();
  }
}

process.stdout.write(`${await buildProgram()}\n`);
