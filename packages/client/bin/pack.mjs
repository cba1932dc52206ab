// Packs the client into an archive that npm and npx take: ES modules with their types, and with the code of the packages
// that it needs inside, so that installing it asks no registry.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const [file] = process.argv.slice(2);
if (!file) throw new Error('Usage: node packages/client/bin/pack.mjs FILE');
const folder = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(folder, '../..');

// Beside the archive, so that it gets there in one step, whatever other processes pack.
fs.mkdirSync(dirname(resolve(file)), { recursive: true });
const draft = fs.mkdtempSync(`${resolve(file)}.`);
try {
  // No peer either: npm looks an optional one up, too.
  const { dependencies: _, ...manifest } = JSON.parse(fs.readFileSync(join(folder, 'package.json'), 'utf8'));
  const dist = join(draft, 'dist');
  const { inputs } = buildSync({
    absWorkingDir: root,
    entryPoints: entriesOf(manifest),
    outbase: join(folder, 'src'),
    outdir: dist,
    bundle: true,
    splitting: true,
    chunkNames: 'chunk-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    // The application's own, for which the loader stands in.
    external: ['astro/*'],
    metafile: true,
    logLevel: 'warning',
  }).metafile;
  writeTypes(dist);
  for (const name of manifest.files.filter((each) => each !== 'dist'))
    fs.cpSync(join(folder, name), join(draft, name), { recursive: true });
  fs.cpSync(join(folder, 'README.md'), join(draft, 'README.md'));
  fs.writeFileSync(join(draft, 'LICENSE'), licensesOf(Object.keys(inputs)));
  fs.writeFileSync(join(draft, 'package.json'), JSON.stringify(manifest, null, 2));
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', draft];
  const options = { cwd: draft, shell: process.platform === 'win32', stdio: ['ignore', 'pipe', 'inherit'] };
  fs.renameSync(join(draft, execFileSync('npm', args, options).toString().trim()), file);
} finally {
  fs.rmSync(draft, { recursive: true, force: true });
}

/** The source of each entry and command. */
function entriesOf({ bin, exports }) {
  const targets = [...Object.values(bin), ...Object.values(exports).map((each) => each.default)];
  return targets
    .filter(Boolean)
    .map((target) => join(folder, target.replace('/dist/', '/src/').replace(/\.js$/, '.ts')));
}

/** The types of every module. They import one another without an extension, as everywhere here; packages need it. */
function writeTypes(dist) {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  // Where only the packages of the local service are installed, its archive has no types.
  if (!fs.existsSync(compiler)) return;
  const args = ['-p', join(folder, 'tsconfig.build.json'), '--outDir', dist];
  execFileSync(process.execPath, [compiler, ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
  for (const name of fs.readdirSync(dist, { recursive: true }).filter((each) => each.endsWith('.d.ts'))) {
    const path = join(dist, name);
    const text = fs.readFileSync(path, 'utf8');
    fs.writeFileSync(path, text.replace(/((?:from|import\() ?['"]\.{1,2}\/[\w/-]+)(['"])/g, '$1.js$2'));
  }
}

/** The licence of the client, and those of the packages whose code is inside. @param inputs paths below the root */
function licensesOf(inputs) {
  const packages = inputs.map((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean);
  const texts = [...new Set(packages)].sort().map((path) => {
    const { name, version } = JSON.parse(fs.readFileSync(join(root, path, 'package.json'), 'utf8'));
    return `\n${name} ${version}, whose code is part of this package:\n\n${fs.readFileSync(join(root, path, 'LICENSE'), 'utf8')}`;
  });
  return [fs.readFileSync(join(root, 'LICENSE'), 'utf8'), ...texts].join('\n');
}
