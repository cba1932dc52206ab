// Runs every check, also after one has found something: types, lint and format, import rules, unused code.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const checks = [
  ['tsc', '--noEmit'],
  ['tsc', '--noEmit', '-p', 'lambda/docs/page/browser'],
  ['biome', 'check', '--error-on-warnings', '.'],
  [
    'depcruise',
    '--config',
    '.dependency-cruiser.cjs',
    'bin',
    'cli',
    'lambda',
    'lib',
    'local',
    'packages',
    'tools',
  ],
  ['knip'],
];

const failed = checks.filter((check) => {
  process.stderr.write(`> ${check.join(' ')}\n`);
  const [tool, ...args] = check;
  // A tool is a command file on Windows, which only a shell can run.
  const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' };
  return spawnSync(join('node_modules', '.bin', tool), args, options).status !== 0;
});
if (failed.length > 0) {
  process.stderr.write(`These checks have failed: ${failed.map(([name]) => name).join(', ')}\n`);
  process.exitCode = 1;
}
