/** Puts sharp and its native library for the functions' processor beside a bundle, in the locked versions. */

import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './bundle';

/** Paths in the lock file of sharp, its dependencies, and its libraries for all platforms. */
const ofSharp = /^node_modules\/(sharp$|sharp\/|@img\/|@emnapi\/|detect-libc$|semver$|tslib$)/;

/**
 * Copies the packages into `<folder>/node_modules`. npm fetches them to `.cache/` per processor and lock.
 * @throws `Error` with npm's words when a package cannot be fetched, or differs from the lock's hash
 */
export function addNativeSharp(folder: string, processor: 'arm64' | 'x86_64'): void {
  const cpu = processor === 'arm64' ? 'arm64' : 'x64';
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'));
  const manifest = { dependencies: { sharp: packages['node_modules/sharp'].version } };
  const locked = Object.entries(packages).filter(([path]) => ofSharp.test(path));
  const lock = { lockfileVersion: 3, packages: { '': manifest, ...Object.fromEntries(locked) } };
  const version = hash('sha256', JSON.stringify(lock)).slice(0, 16);
  const cache = join(projectRoot, '.cache', `sharp-${cpu}-${version}`);
  if (!existsSync(cache)) {
    const draft = `${cache}.${process.pid}`;
    mkdirSync(draft, { recursive: true });
    writeFileSync(join(draft, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(draft, 'package-lock.json'), JSON.stringify(lock));
    const platform = ['--os=linux', `--cpu=${cpu}`, '--libc=glibc'];
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-bin-links', ...platform], { cwd: draft });
    rmSync(join(draft, 'node_modules/.package-lock.json')); // It names the registry.
    try {
      renameSync(draft, cache);
    } catch {
      rmSync(draft, { recursive: true }); // Another synthesis has fetched the same meanwhile.
    }
  }
  cpSync(join(cache, 'node_modules'), join(folder, 'node_modules'), { recursive: true });
}
