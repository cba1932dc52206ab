/** Runs the end-to-end table against any deployment: `npm run -s test:e2e -- --help`. */

import { spawnSync } from 'node:child_process';
import { Option } from 'commander';
import { createCommand, run } from '../cli/command';
import { wrongUsage } from '../cli/failure';
import { projectRoot } from '../lib/functions/bundle';

const command = createCommand('test:e2e', {
  summary:
    'Request of a deployment everything that every deployment must answer. About 20 requests are charged.',
  program: 'npm run -s test:e2e --',
  examples: ['--url https://… --live-key KEY --test-key KEY'],
  more: 'The variables keep the keys out of lists of processes, and -s keeps npm from printing the command.',
});

const options = [
  ['--url <URL>', 'E2E_URL', "root of the service, as the deployment's ApiUrl output says it"],
  ['--live-key <KEY>', 'E2E_LIVE_KEY', 'a live key'],
  ['--test-key <KEY>', 'E2E_TEST_KEY', 'a test key'],
] as const;
for (const [flags, variable, description] of options)
  command.addOption(new Option(flags, description).env(variable).makeOptionMandatory());

run(
  command.action(({ url, liveKey, testKey }: Readonly<Record<'url' | 'liveKey' | 'testKey', string>>) => {
    if (!/^https?:\/\/./.test(url))
      throw wrongUsage('--url takes a URL that starts with http:// or https://.');
    const env = { ...process.env, E2E_URL: url, E2E_LIVE_KEY: liveKey, E2E_TEST_KEY: testKey };
    const jest = ['node_modules/jest/bin/jest.js', '--runTestsByPath', 'test/e2e/cases.test.ts'];
    const spawned = spawnSync(process.execPath, ['--no-warnings', ...jest], {
      cwd: projectRoot,
      env,
      stdio: 'inherit',
    });
    process.exitCode = spawned.status ?? 1;
  }),
);
