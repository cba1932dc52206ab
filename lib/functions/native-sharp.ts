/** Puts sharp and its native library for the functions' processor beside a bundle, in exactly the locked versions. */

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './bundle';

/** As Lambda names it. */
export type Processor = 'arm64' | 'x86_64';

/** Packages that run time needs; types, build scripts and other processors' libraries stay at home. */
const portable = ['sharp', '@img/colour', 'detect-libc', 'semver'];
const nativeFor = (cpu: 'arm64' | 'x64') => [`@img/sharp-linux-${cpu}`, `@img/sharp-libvips-linux-${cpu}`];

/**
 * Copies the packages into `<folder>/node_modules`. They are fetched from the registry once per processor and change of
 * the lock, and kept in `.cache/`.
 * @throws `Error` with npm's words when they cannot be had.
 */
export function addNativeSharp(folder: string, processor: Processor): void {
  const cpu = processor === 'arm64' ? 'arm64' : 'x64';
  cpSync(fetched(cpu), join(folder, 'node_modules'), { recursive: true });
}

function fetched(cpu: 'arm64' | 'x64'): string {
  const { manifest, lock } = lockedInstallation(cpu);
  const cache = keptFolder(lock);
  if (existsSync(cache)) return join(cache, 'node_modules');
  const draft = `${cache}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(draft, 'package-lock.json'), JSON.stringify(lock));
  // `npm ci` compares what it gets with the lock's hashes.
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const ended = spawnSync('npm', ['ci', ...flags], {
    cwd: draft,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    env: { ...process.env, npm_config_os: 'linux', npm_config_cpu: cpu, npm_config_libc: 'glibc' },
  });
  checkInstalled(draft, cpu, ended);
  // npm's own record holds URLs and would make the code's hash depend on the registry.
  rmSync(join(draft, 'node_modules', '.package-lock.json'), { force: true });
  rmSync(join(draft, 'node_modules', '.bin'), { recursive: true, force: true });
  try {
    renameSync(draft, cache);
  } catch (error) {
    // Another process was faster, and its packages are the same.
    if (!existsSync(cache)) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
  return join(cache, 'node_modules');
}

/**
 * npm ends well, too, where it leaves an optional package out that it could not get.
 * @throws `Error` with npm's words where it failed, or a native package is not in `<folder>/node_modules`
 */
export function checkInstalled(
  folder: string,
  cpu: 'arm64' | 'x64',
  { status, stderr }: { readonly status: number | null; readonly stderr: string },
): void {
  const isComplete = nativeFor(cpu).every((name) => existsSync(join(folder, 'node_modules', name)));
  if (status !== 0 || !isComplete)
    throw new Error(`sharp for linux-${cpu} could not be installed:\n${stderr}`);
}

/** Where the packages of a lock are kept: another folder for each processor, version and hash. */
export function keptFolder(lock: object): string {
  const hash = createHash('sha256').update(JSON.stringify(lock)).digest('hex').slice(0, 16);
  return join(projectRoot, '.cache', `sharp-${hash}`);
}

interface LockedPackage {
  readonly version: string;
  /** Hash of the package's archive. */
  readonly integrity: string;
}

/** A manifest and its lock for the packages of one processor, with the versions and hashes of the project's own lock. */
export function lockedInstallation(cpu: 'arm64' | 'x64'): {
  readonly manifest: object;
  readonly lock: object;
} {
  const versions = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, locked(name).version]));
  const manifest = {
    name: `sharp-linux-${cpu}`,
    version: '1.0.0',
    private: true,
    dependencies: versions(portable),
    // npm takes a package for another processor only when it is optional.
    optionalDependencies: versions(nativeFor(cpu)),
  };
  const packages = Object.fromEntries([
    ...portable.map((name) => [`node_modules/${name}`, locked(name)]),
    ...nativeFor(cpu).map((name) => [`node_modules/${name}`, { ...locked(name), optional: true }]),
  ]);
  const { name, version } = manifest;
  return { manifest, lock: { name, version, lockfileVersion: 3, packages: { '': manifest, ...packages } } };
}

function locked(name: string): LockedPackage {
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8'));
  const places = [`node_modules/sharp/node_modules/${name}`, `node_modules/${name}`];
  const found = places.map((place) => lock.packages[place]).find((entry) => entry !== undefined);
  if (typeof found?.integrity !== 'string') throw new Error(`package-lock.json holds no hash of ${name}`);
  return { version: found.version, integrity: found.integrity };
}
