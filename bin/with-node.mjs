// Runs a command on another Node.js than the one installed: `node bin/with-node.mjs 24 -- npm test`.
// The binary comes from the npm registry, without an install script, into .cache/.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [version, separator, command, ...args] = process.argv.slice(2);
if (!/^\d+$/.test(version ?? '') || separator !== '--' || command === undefined) {
  process.stderr.write('Usage: node bin/with-node.mjs VERSION -- COMMAND [ARGUMENTS]\n');
  process.exit(1);
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const name = `node-${process.platform}-${process.arch}`;
const home = join(root, '.cache', `node-${version}`);
const bin = join(home, 'node_modules', name, 'bin');

if (!existsSync(bin)) {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{"private":true}\n');
  const options = [
    'install',
    '--no-save',
    '--no-fund',
    '--no-audit',
    '--loglevel=error',
    `${name}@${version}`,
  ];
  const installed = spawnSync('npm', options, { cwd: home, stdio: ['ignore', 2, 2] });
  if (installed.status !== 0) process.exit(installed.status ?? 1);
}

const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
const { status } = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' });
process.exit(status ?? 1);
