// Installs the locked packages where they are missing or differ from the lock file, so that every script works on a
// fresh clone. Prints to stderr only, because `npm start -- --json` promises one line on stdout.
const { spawnSync } = require('node:child_process');
const { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');

/** Packages by path, as a lock file lists them; empty when there is no readable file. */
function packagesIn(...file) {
  try {
    return JSON.parse(readFileSync(join(...file), 'utf8')).packages ?? {};
  } catch {
    return {};
  }
}

/**
 * Whether what npm recorded of the installed packages agrees with the lock file. Optional packages may be missing, as
 * most of them are for other platforms. More packages than the lock file names are left alone.
 */
function isInstalled(folder) {
  const installed = packagesIn(folder, 'node_modules', '.package-lock.json');
  return Object.entries(packagesIn(folder, 'package-lock.json')).every(([path, wanted]) => {
    // What lies elsewhere is the project itself, with its own packages.
    if (!path.startsWith('node_modules/')) return true;
    const present = installed[path];
    if (present === undefined) return wanted.optional === true || wanted.devOptional === true;
    return present.version === wanted.version && present.integrity === wanted.integrity;
  });
}

/** Age at which a lock counts for nothing, in milliseconds: by then, its process id may be another's. */
const lockEndsMs = 15 * 60_000;
const lockPauseMs = 250;

/** Runs `work` while no other process of this folder runs it; waits for one that does, and takes over from one that has ended. */
function withLock(folder, work) {
  const lock = join(folder, '.build', 'installing');
  mkdirSync(join(lock, '..'), { recursive: true });
  for (let isSaid = false; !isTaken(lock); isSaid = true) {
    if (!isSaid) process.stderr.write('Waiting for another command that installs packages…\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lockPauseMs);
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Takes the lock, unless a process that runs has it. */
function isTaken(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  try {
    const holder = Number(readFileSync(lock, 'utf8'));
    const isRecent = Date.now() - statSync(lock).mtimeMs < lockEndsMs;
    // One that is just being taken names no process yet.
    if (isRecent && (!holder || process.kill(holder, 0))) return false;
  } catch (error) {
    if (error.code === 'EPERM' || error.code === 'ENOENT') return false;
  }
  rmSync(lock, { force: true });
  return false;
}

/** Ends the process with npm's exit code when the installation fails. */
function installWhatIsMissing() {
  if (isInstalled(root)) return;
  const status = withLock(root, () => (isInstalled(root) ? 0 : install()));
  if (status !== 0) process.exit(status ?? 1);
}

/** @returns npm's exit code; `null` where a signal has ended it */
function install() {
  process.stderr.write('Installing packages (once, about a minute)…\n');
  const args = ['ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'];
  const shell = process.platform === 'win32';
  return spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell }).status;
}

module.exports = { isInstalled, installWhatIsMissing, withLock };
if (require.main === module) installWhatIsMissing();
