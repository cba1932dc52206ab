/** Tests the output of the CDK app for a wrong setting. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const cwd = join(__dirname, '..', '..');
const args = ['--no-warnings', '--import', 'tsx', 'bin/app.ts'];

test('the app refuses a wrong setting without a stack trace', () => {
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ stage: 'dev', logRetentionDays: '8' }) },
  });
  expect(stderr.trimEnd().split('\n')).toEqual([
    'The settings of stage dev are not usable:',
    '  logRetentionDays: Invalid option: expected one of 1|3|5|7|14|30|60|90|180|365|731; given: 8',
  ]);
  expect(status).toBe(1);
});
