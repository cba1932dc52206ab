/** Tests that missing packages are installed before the service or the tests start. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

test('missing packages are installed, and npm prints to stderr', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'install-'));
  writeFileSync(join(cwd, 'npm'), '#!/bin/sh\necho "npm $*"\n', { mode: 0o755 });
  const env = { ...process.env, PATH: `${cwd}:${process.env['PATH']}` };
  const args = [join(__dirname, '../../bin/install.mjs'), 'jest', '--omit=dev'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({
    stdout: '',
    stderr: 'npm ci --ignore-scripts --no-audit --no-fund --omit=dev\n',
  });
});
