// Compiles the package into dist: ES modules with their types, file by file.
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(folder, '../..');
const dist = join(folder, 'dist');

rmSync(dist, { recursive: true, force: true });
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', join(folder, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

// The sources import one another without an extension, as everywhere in this repository; published modules need it.
for (const name of readdirSync(dist, { recursive: true }).filter((each) => /\.(?:js|d\.ts)$/.test(each))) {
  const path = join(dist, name);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace(/((?:from|import\() ?['"]\.{1,2}\/[\w/-]+)(['"])/g, '$1.js$2'));
}
copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
