/** `image-redirect restore` on the command line: what it refuses before anything is read. */

import { tmpdir } from 'node:os';
import { exitCodes } from '../../../cli/failure';
import { runTool } from '../run-tool';

test.each([
  ['a table that holds nothing durable', ['--table', 'cache', '--at', '2026-11-21T12:00:00Z'], 'stockMemory'],
  [
    'a moment without its time zone',
    ['--table', 'apiKeys', '--at', '2026-11-21T12:00'],
    '--at takes a moment',
  ],
  ['no stack', ['--table', 'apiKeys', '--at', '2026-11-21T12:00:00Z'], '--stack NAME'],
  [
    'a moment that recovery does not reach',
    ['--table', 'apiKeys', '--at', '2020-01-01T00:00:00Z', '--stack', 's'],
    'within the last 35 days',
  ],
  [
    'a moment that is to come',
    ['--table', 'apiKeys', '--at', '2999-01-01T00:00:00Z', '--stack', 's'],
    'within the last 35 days',
  ],
  [
    'replacing what must stay',
    ['--table', 'apiKeys', '--at', '2026-11-21T12:00:00Z', '--replace', '--stack', 's'],
    '--table stockMemory',
  ],
])('refuses %s', async (_, args, says) => {
  const ended = await runTool(['restore', ...args], { cwd: tmpdir() });
  expect([ended.exitCode, ended.stderr]).toEqual([exitCodes.usage, expect.stringContaining(says)]);
});
