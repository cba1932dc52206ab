/** The runner of the end-to-end tests names missing options and prints no key. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

function run(...args: readonly string[]) {
  const { E2E_URL: _url, E2E_LIVE_KEY: _live, E2E_TEST_KEY: _test, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', '--import', 'tsx', 'tools/test-e2e.ts', ...args],
    {
      cwd: root,
      env,
      encoding: 'utf8',
    },
  );
  return { status, text: stdout + stderr };
}

const keys = ['--live-key', 'pk_live_secret', '--test-key', 'pk_test_secret'];

it.each([
  ['a URL', [], '--url'],
  ['a live key', ['--url', 'https://example.org'], '--live-key'],
  ['an absolute URL', ['--url', 'example.org', ...keys], 'https://'],
  ['options alone', ['--url', 'https://example.org', ...keys, 'pk_live_secret'], 'arguments'],
])('asks for %s', (_, args, words) => {
  const { status, text } = run(...args);
  expect([status, text]).toEqual([2, expect.stringContaining(words)]);
  expect(text).not.toContain('secret');
});

it('explains itself', () => {
  expect(run('--help')).toEqual({ status: 0, text: expect.stringContaining('--test-key') });
});
