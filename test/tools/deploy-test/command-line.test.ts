/** The deployment test reads its command line as the other programs do. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '..', '..', '..');

it('refuses an unknown option in one line, as wrong usage, before it starts anything', () => {
  const args = ['--no-warnings', '--import', 'tsx', 'tools/deploy-test/deploy-test.ts', '--kept'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect(stderr).toContain(`Unknown option '--kept' (Did you mean --keep?).`);
  expect([status, stderr.trim().split('\n').length]).toEqual([2, 1]);
}, 30_000);
