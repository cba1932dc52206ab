// Packs the client into an archive for npm and npx: ES modules with their types. The code of its dependencies
// is inside, so that installing it asks no registry.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const [file] = process.argv.slice(2);
if (!file) throw new Error('Usage: node packages/client/bin/pack.mjs FILE');
const folder = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(folder, '../..');
const read = (...path) => fs.readFileSync(join(...path), 'utf8');

// The draft is beside the archive, so that one rename replaces it, even if other processes pack too.
fs.mkdirSync(dirname(resolve(file)), { recursive: true });
const draft = fs.mkdtempSync(`${resolve(file)}.`);
try {
  // The manifest names no peers, because npm looks up even optional ones.
  const { dependencies: _dependencies, ...manifest } = JSON.parse(read(folder, 'package.json'));
  const targets = [...Object.values(manifest.bin), ...Object.values(manifest.exports)];
  const entries = targets.flatMap((target) => /\/dist\/(.*)\.js$/.exec(target)?.[1] ?? []);
  const { inputs } = buildSync({
    absWorkingDir: root,
    entryPoints: entries.map((entry) => join(folder, 'src', `${entry}.ts`)),
    outdir: join(draft, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    external: ['astro/*'],
    metafile: true,
  }).metafile;
  writeTypes(join(draft, 'dist'));
  for (const name of ['README.md', ...manifest.files.filter((name) => name !== 'dist')])
    fs.cpSync(join(folder, name), join(draft, name), { recursive: true });
  const findFolder = (path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [];
  const inside = Object.keys(inputs).flatMap(findFolder);
  const licenses = [...new Set(inside)].map((path) => {
    const { name, version } = JSON.parse(read(root, path, 'package.json'));
    return `\n${name} ${version}, whose code is part of this package:\n\n${read(root, path, 'LICENSE')}`;
  });
  fs.writeFileSync(join(draft, 'LICENSE'), [read(root, 'LICENSE'), ...licenses].join('\n'));
  fs.writeFileSync(join(draft, 'package.json'), JSON.stringify(manifest, null, 2));
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', draft];
  const options = { cwd: draft, shell: process.platform === 'win32', stdio: ['ignore', 'pipe', 'inherit'] };
  fs.renameSync(join(draft, execFileSync('npm', args, options).toString().trim()), file);
} finally {
  fs.rmSync(draft, { recursive: true, force: true });
}

/** Writes the types of every module. In a package, their imports need an extension. */
function writeTypes(dist) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  // The local service is installed without the compiler, so its archive has no types.
  if (!fs.existsSync(compiler)) return;
  const args = [compiler, '-p', join(folder, 'tsconfig.json'), '--outDir', dist];
  execFileSync(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  for (const name of fs.readdirSync(dist, { recursive: true }).filter((path) => path.endsWith('.d.ts'))) {
    const text = read(dist, name).replace(/((?:from|import\() ?['"]\.{1,2}\/[\w/-]+)(['"])/g, '$1.js$2');
    fs.writeFileSync(join(dist, name), text);
  }
}
