/** What `npm run diff` refuses. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

it.each([
  [['-c', 'redirectMaxAgeS=-1'], 'redirectMaxAgeS: allowed: 0 to 86,400; given: "-1"'],
  [['--base', 'no-such-revision'], '--base takes a Git revision, and there is no no-such-revision.'],
  [['before.yaml', 'after.yaml'], 'There is no file before.yaml.'],
])('%j is wrong usage, and says why', (args, why) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--import', 'tsx', 'tools/review/diff.ts', ...args],
    { cwd: join(__dirname, '..', '..', '..'), encoding: 'utf8' },
  );
  expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining(why)]);
});
