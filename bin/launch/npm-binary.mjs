// Fetches a program that the npm registry holds as one package a platform, without an install script, into .cache/.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

const options = ['--no-save', '--no-fund', '--no-audit', '--loglevel=error'];
/** Without a network, npm's own retries last more than a minute. */
const fetchOptions = ['--fetch-retries=1', '--fetch-retry-mintimeout=2000', '--fetch-timeout=60000'];

/**
 * Folder of the package, fetched on the first use; undefined when npm cannot fetch it, which it explains on stderr.
 * @param name of the package for this platform
 */
export function npmBinary(name, version) {
  const home = join(root, '.cache', `${name}@${version}`);
  const folder = join(home, 'node_modules', name);
  if (existsSync(folder)) return folder;
  process.stderr.write(`Installing ${name} ${version} (once)…\n`);
  // Under another name first, so that an interrupted download is not taken for a complete one.
  const draft = `${home}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, 'package.json'), '{"private":true}\n');
  try {
    const { status } = spawnSync('npm', ['install', ...options, ...fetchOptions, `${name}@${version}`], {
      cwd: draft,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    });
    if (status !== 0) return undefined;
    renameSync(draft, home);
  } catch (error) {
    // Another process was faster, and runs what it has fetched.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}
