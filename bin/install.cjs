// Installs the locked packages where they are missing or differ from the lock file, so that every script works on a
// fresh clone. Prints to stderr only, because `npm start -- --json` promises one line on stdout.
const { spawnSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
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
    const found = installed[path];
    if (found === undefined) return wanted.optional === true || wanted.devOptional === true;
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

/** Ends the process with npm's exit code when the installation fails. */
function installWhatIsMissing() {
  if (isInstalled(root)) return;
  process.stderr.write('Installing packages (once, about a minute)…\n');
  const { status } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    },
  );
  if (status !== 0) process.exit(status ?? 1);
}

module.exports = { isInstalled, installWhatIsMissing };
if (require.main === module) installWhatIsMissing();
