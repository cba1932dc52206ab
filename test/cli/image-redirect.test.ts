/** Tests the tool as a process of its own: exit codes, stdout and stderr. */

import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { createTool } from '../../cli/image-redirect';
import { startFixture } from '../fakes/fixture';
import { startLocalFixture } from './local-fixture';
import { program, spawnTool } from './run-tool';

/** The commands of the tool, by what follows `image-redirect`, with their help. */
const listHelp = (command: Command, path = ''): (readonly [path: string, help: string])[] =>
  command.commands.length === 0
    ? [[path.trim(), command.helpInformation()]]
    : command.commands.flatMap((subcommand) => listHelp(subcommand, `${path} ${subcommand.name()}`));

test('the help shows --yes only for commands that ask for confirmation', async () => {
  const helps = listHelp(await createTool());
  expect(helps.filter(([, help]) => help.includes('--yes')).map(([path]) => path)).toEqual([
    ...['keys rotate', 'keys revoke', 'keys delete-account', 'keys signer rotate', 'keys signer revoke'],
    ...['keys site rotate', 'keys site revoke', 'library remove', 'images remove'],
  ]);
});

test('all commands but start and doctor choose their service by --local or --stack', async () => {
  const helps = listHelp(await createTool());
  const without = helps.filter(([, help]) => !/--local[\s\S]*--stack[\s\S]*--json/.test(help));
  expect(without.map(([path]) => path)).toEqual(['start', 'doctor']);
});

describe('image-redirect as a process', () => {
  const fixture = startFixture(startLocalFixture);

  test('the result goes to stdout while remarks go to stderr', async () => {
    const args = ['keys', 'create', '--plan', 'pro', '--json', '--local', fixture.url];
    const { exitCode, stdout, stderr, json } = await spawnTool(args, { cwd: fixture.folder });
    expect([exitCode, stdout.match(/\n/g)?.length, stdout.at(-1)]).toEqual([0, 1, '\n']);
    expect(json()).toMatchObject({ key: expect.stringMatching(/^pk_live_\w{38}$/), plan: 'pro' });
    expect(stderr).toContain('cannot be shown again');
  });

  test('the exit code is 1 when a result reports a failure', async () => {
    const args = ['doctor', '--stage', 'prod', '--json'];
    const { exitCode, stderr, json } = await spawnTool(args, { cwd: fixture.folder });
    expect([exitCode, stderr]).toEqual([1, '']);
    expect(json()).toMatchObject({ failures: 1, findings: [{ check: 'credentials' }] });
  });

  test('the process ends without an error when the reader of its output ends', async () => {
    const child = spawn(process.execPath, [...program, 'keys', '--help'], { stdio: 'pipe' });
    child.stdout.destroy();
    const stderr = text(child.stderr);
    const exitCode = await new Promise((ended) => child.on('close', ended));
    expect({ exitCode, stderr: await stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
});
