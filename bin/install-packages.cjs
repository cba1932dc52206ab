// Installs the packages of the lock file where one of them is missing, so that `npm start` and `npm test` are all
// that a fresh checkout needs: node bin/install-packages.cjs PACKAGE [OPTIONS OF npm ci]
const { spawnSync } = require('node:child_process');

const [packageName, ...options] = process.argv.slice(2);
try {
  require.resolve(packageName);
} catch {
  const install = ['npm ci --ignore-scripts --no-audit --no-fund --loglevel=error', ...options].join(' ');
  // Its output goes to stderr, as programs read the stdout of the service. Windows runs npm in a shell only.
  process.exitCode = spawnSync(install, { shell: true, stdio: ['inherit', 2, 2] }).status ?? 1;
}
