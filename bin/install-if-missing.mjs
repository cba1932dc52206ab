// Makes every npm command work on a fresh clone: installs the locked packages when they are missing or older
// than the lock file. Prints to stderr only, because `npm start -- --json` promises one line on stdout.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const wanted = join(root, 'package-lock.json');
const installed = join(root, 'node_modules', '.installed-lock.json');

const isCurrent = existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(wanted, 'utf8');
if (!isCurrent) {
  process.stderr.write('Installing packages (once, about a minute)…\n');
  const { status } = spawnSync('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
  copyFileSync(wanted, installed);
}
