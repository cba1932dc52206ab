// Runs every check, also after one has found something: types, lint and format, import rules, unused code.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../bin/launch/root.mjs';

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
  const args = [join(root, 'bin', 'run.mjs'), ...check];
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status !== 0;
});
if (failed.length > 0) {
  process.stderr.write(`These checks have failed: ${failed.map(([name]) => name).join(', ')}\n`);
  process.exitCode = 1;
}
