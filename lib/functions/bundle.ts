/** Bundles one function with esbuild: ES modules, split so that what is imported on first need is loaded on first need. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, join } from 'node:path';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';
import { functionNodeVersion } from '../../lambda/contract/functions';
import { bundlePageAssets, pageAssetsName } from './page-assets';

/** The project's root: entries and outputs are named relative to it, so that no hash depends on where it lies. */
export const projectRoot = join(__dirname, '..', '..');

/** A bundled function. */
export interface Bundle {
  /** Absolute folder that becomes the function's code; `main.mjs` in it exports `handler`. */
  readonly folder: string;
  /** What esbuild says of inputs and outputs; paths are relative to the project. */
  readonly metafile: Metafile;
}

/** Deployed beside the bundles that import it, with its native library. */
const sharpPackage = 'sharp';

/** Whether a bundle imports sharp. */
export function importsSharp({ metafile }: Bundle): boolean {
  return Object.values(metafile.outputs).some(({ imports }) =>
    imports.some(({ path }) => path === sharpPackage),
  );
}

interface BundleOptions {
  /** Source file that exports `handler`, relative to the project. */
  readonly entry: string;
  /** Folder to write to, relative to the project. */
  readonly outDir: string;
}

/** Functions that every request runs through; each has a `warm-main.ts`. */
const hotFunctions: readonly string[] = ['authorizer', 'redirect'];

/** The source that is deployed as a function, relative to the project. @param name of its folder in lambda/functions */
export function entryOf(name: string): string {
  return `lambda/functions/${name}/${hotFunctions.includes(name) ? 'warm-main' : 'main'}.ts`;
}

// The CommonJS packages inside call `require`, which ES modules lack.
const banner = "const require=process.getBuiltinModule('module').createRequire(import.meta.url);";

/**
 * Bundles a function; the same sources give the same bytes on every machine. Functions that every request runs through
 * (`warm-main.ts`) are bundled in two halves.
 * @throws what esbuild throws, with the place of the fault.
 */
export function bundle({ entry, outDir }: BundleOptions): Bundle {
  const folder = join(projectRoot, outDir);
  rmSync(folder, { recursive: true, force: true });
  const common = { ...buildOptions(), outdir: outDir };
  const build: Build = (entryPoints, options = {}) =>
    buildSync({
      ...common,
      entryPoints,
      ...options,
      external: [sharpPackage, ...(options.external ?? [])],
    }).metafile as Metafile;
  const isHot = basename(entry) === 'warm-main.ts';
  const metafile = isHot ? buildHalves(entry, build) : build({ main: entry });
  for (const [path, output] of Object.entries(metafile.outputs)) output.bytes -= dropUnusedBanner(path);
  return { folder, metafile };
}

/** Takes the banner off a file that calls no `require`. @returns the bytes that it saves */
function dropUnusedBanner(path: string): number {
  const file = join(projectRoot, path);
  const code = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const rest = code.slice(banner.length + 1);
  if (!code.startsWith(banner) || rest.includes('require')) return 0;
  writeFileSync(file, rest);
  return banner.length + 1;
}

type Build = (entryPoints: Record<string, string>, options?: BuildOptions) => Metafile;

/**
 * Bundles what the function's own sources import on first need by itself, beside the first half and with copies of its
 * own of what both need. In one bundle, a package that both halves use would be loaded at the start together with those
 * of its parts that only the second half uses.
 */
function buildHalves(entry: string, build: Build): Metafile {
  // Only the project's own sources are read for this, which takes a third of the time of a whole bundle off.
  const later = importedLater(build({ main: entry }, { write: false, packages: 'external' }), entry);
  const first = build(
    { main: entry },
    { external: later.map(({ specifier }) => specifier), alias: { ...aliases(), ...leanSerde() } },
  );
  for (const path of Object.keys(first.outputs)) nameFiles(join(projectRoot, path), later);
  const second = build(Object.fromEntries(later.map(({ name, source }) => [name, source])), {
    chunkNames: 'later-[hash]',
  });
  return {
    inputs: { ...first.inputs, ...second.inputs },
    outputs: { ...first.outputs, ...second.outputs },
  };
}

const buildOptions = () =>
  ({
    absWorkingDir: projectRoot,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: `node${functionNodeVersion}`,
    // The ES module builds of the SDK tree-shake; esbuild's own order for Node would take the larger CommonJS ones.
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunk-[hash]',
    banner: { js: banner },
    alias: aliases(),
    define: { [pageAssetsName]: pageAssets() },
    metafile: true,
    logLevel: 'silent',
  }) as const satisfies BuildOptions;

let madeAssets: string | undefined;

/** The page's assets as an expression; bundled once for all functions. */
function pageAssets(): string {
  madeAssets ??= JSON.stringify(bundlePageAssets());
  return madeAssets;
}

/** A source that is imported on first need. */
interface ImportedLater {
  /** As the import names it, such as `./stock-main`. */
  readonly specifier: string;
  readonly source: string;
  /** Name of the file that it is bundled into, without its ending. */
  readonly name: string;
}

/** The dynamic imports of the sources that an entry imports at once. @throws `Error` for a package among them */
function importedLater({ inputs }: Metafile, entry: string): readonly ImportedLater[] {
  const found = new Map<string, ImportedLater>();
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { kind, path: source, original: specifier = '' } of inputs[path]?.imports ?? []) {
      if (kind !== 'dynamic-import') visit(source);
      else if (path.startsWith('lambda/') && !specifier.startsWith('.'))
        throw new Error(
          `${path} imports ${specifier} on first need; only a file of its own can be bundled apart`,
        );
      else if (path.startsWith('lambda/'))
        found.set(source, { specifier, source, name: basename(source, '.ts') });
    }
  };
  visit(entry);
  const later = [...found.values()];
  for (const field of ['specifier', 'name'] as const)
    if (new Set(later.map((each) => each[field])).size < later.length)
      throw new Error(`${entry} imports two sources of the same ${field} on first need`);
  return later;
}

/**
 * Replaces the index of `@smithy/core/serde` by one that marks the class and the generator of ids that it makes as unused
 * where they are: the bundler cannot know that making them changes nothing, and keeps them with all that they use.
 */
function leanSerde(): Record<string, string> {
  const from = join(projectRoot, 'node_modules/@smithy/core/dist-es/submodules/serde');
  const text = readFileSync(join(from, 'index.js'), 'utf8')
    .replace(/class (\w+) extends (bind\w+\([^)]*\)) \{\s*\}/, 'const $1 = /* @__PURE__ */ $2;')
    .replace('= bindV4(', '= /* @__PURE__ */ bindV4(')
    .replaceAll('"./', `"${from.replaceAll('\\', '/')}/`);
  return { '@smithy/core/serde': written('serde.mjs', text) };
}

/** A file of these contents in `.build/built-ins`, written once, because another process may be reading it. */
function written(name: string, text: string): string {
  const folder = join(projectRoot, '.build', 'built-ins');
  const file = join(folder, name);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  return file;
}

/** Gives imports the names of the bundled files, which Node.js takes only with their ending. */
function nameFiles(file: string, later: readonly ImportedLater[]): void {
  const text = later.reduce(
    (code, { specifier, name }) => code.replaceAll(`import("${specifier}")`, `import("./${name}.mjs")`),
    readFileSync(file, 'utf8'),
  );
  writeFileSync(file, text);
}

/**
 * Replaces `import … from 'node:http'` by a lookup. An ES import of a built-in evaluates every one of its exports, and
 * those of `node:http` load undici, which costs each cold start about 17 ms of CPU; `getBuiltinModule` does not.
 */
function aliases(): Record<string, string> {
  const fileOf = (name: string, text: string) => written(`${name.replaceAll('/', '-')}.cjs`, text);
  const names = builtinModules.filter((name) => /^[a-z]/.test(name) && !name.startsWith('node:'));
  const files = names.map((name) => [name, fileOf(name, builtinText(name))] as const);
  return {
    ...Object.fromEntries(
      files.flatMap(([name, file]) => [
        [`node:${name}`, file],
        [name, file],
      ]),
    ),
    // The MCP server would bring Ajv, 150 KB, for schemas of forms that it asks a user to fill in; ours asks nobody.
    '@modelcontextprotocol/server/_shims': fileOf(
      'mcp-shims',
      'exports.DefaultJsonSchemaValidator = class {};\n',
    ),
  };
}

/**
 * Built-ins that the SDK and middy import for what a redirect never does, with the functions that they ask for at once.
 * Loading them would cost each cold start some 4 ms of CPU.
 */
const rarelyNeeded: Readonly<Record<string, readonly string[]>> = { 'stream/web': [], zlib: ['crc32'] };

/** The CommonJS module that stands in for a built-in: the built-in itself, or one that looks it up with its first use. */
function builtinText(name: string): string {
  const lookup = `process.getBuiltinModule('node:${name}')`;
  const functions = rarelyNeeded[name];
  if (functions === undefined) return `module.exports = ${lookup};\n`;
  // An import copies an object's own names, which are known here, and leaves the prototype alone, which is the rest.
  const get = `(_, name) => (name === '__esModule' ? undefined : ${lookup}[name])`;
  const lines = functions.map((own) => `module.exports.${own} = (...args) => ${lookup}.${own}(...args);\n`);
  return `module.exports = Object.create(new Proxy({}, { get: ${get} }));\n${lines.join('')}`;
}
