/** Sharp beside a bundle, in the locked version, with the native library for the functions' processor. */

import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './bundle';

/** Paths in the lock file: sharp, its dependencies, and its libraries for all platforms. */
const ofSharp = /^node_modules\/(sharp$|sharp\/|@img\/|@emnapi\/|detect-libc$|semver$|tslib$)/;

/**
 * Installs the packages into `<folder>/node_modules` with npm.
 * @throws `Error` with npm's words when a package cannot be fetched, or differs from the lock's hash
 */
export function addNativeSharp(folder: string, processor: 'arm64' | 'x86_64'): void {
  const { packages } = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'));
  const manifest = { dependencies: { sharp: packages['node_modules/sharp'].version } };
  const locked = Object.entries(packages).filter(([path]) => ofSharp.test(path));
  const lock = { lockfileVersion: 3, packages: { '': manifest, ...Object.fromEntries(locked) } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const platform = ['--os=linux', `--cpu=${processor === 'arm64' ? 'arm64' : 'x64'}`, '--libc=glibc'];
  const options = ['--ignore-scripts', '--no-bin-links', '--no-audit', '--prefer-offline', ...platform];
  execFileSync('npm', ['ci', ...options], { cwd: folder, stdio: 'pipe' });
  // The file names the registry, so that the hash of the asset would differ between machines.
  rmSync(join(folder, 'node_modules/.package-lock.json'));
}
