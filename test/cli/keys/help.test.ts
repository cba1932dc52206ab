/** The help of the commands for keys: each offers the options that it uses, and says what its own help command does. */

import type { Command } from 'commander';
import { keys } from '../../../cli/keys/keys';

/** A command and all below it, by what follows `image-redirect`. */
const allBelow = (command: Command, parents = ''): (readonly [path: string, command: Command])[] => {
  const path = `${parents}${command.name()}`;
  return [[path, command], ...command.commands.flatMap((each) => allBelow(each, `${path} `))];
};
const all = allBelow(keys());

test('--yes is offered by the commands that ask for confirmation, and no other', () => {
  const confirming = all.filter(([, command]) => command.helpInformation().includes('--yes'));
  expect(confirming.map(([path]) => path)).toEqual([
    'keys rotate',
    'keys revoke',
    'keys delete-account',
    'keys signer rotate',
    'keys signer revoke',
    'keys site rotate',
    'keys site revoke',
  ]);
  // Scripts pass it to all.
  for (const [path, command] of all.filter(([, each]) => each.commands.length === 0))
    expect([path, command.options.filter(({ long }) => long === '--yes').length]).toEqual([path, 1]);
});

test('each group says what its help command shows', () => {
  const groups = all.filter(([, command]) => command.commands.length > 0);
  expect(groups.map(([path]) => path)).toEqual(['keys', 'keys signer', 'keys site']);
  for (const [, command] of groups)
    expect(command.helpInformation()).toMatch(/help command +Show the options and examples of a command\./);
});

test('each command names the service that it works on, and prints JSON for scripts', () => {
  const leaves = all.filter(([, command]) => command.commands.length === 0);
  expect(leaves.length).toBeGreaterThan(14);
  for (const [path, command] of leaves)
    expect([path, command.helpInformation()]).toEqual([path, expect.stringMatching(/--stack[\s\S]*--json/)]);
});
