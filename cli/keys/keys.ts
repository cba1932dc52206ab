/** `image-redirect keys`: the operator's commands for keys, plans and usage. */

import type { Command } from 'commander';
import { createCommand } from '../command';
import { create } from './commands/create';
import { list } from './commands/list';
import { revoke } from './commands/revoke';
import { rotate } from './commands/rotate';
import { setName } from './commands/set-name';
import { setPlan } from './commands/set-plan';
import { show } from './commands/show';
import { signer } from './commands/signer/signer';
import { site } from './commands/site/site';
import { usage } from './commands/usage';
import { withKeysOptions } from './session';

const exitCodesHelp = `Exit codes:
  0 done · 1 failed · 2 wrong usage · 3 no such key, account or stack
  4 not confirmed · 5 service or AWS not reachable`;

export function keys(): Command {
  const command = createCommand('keys', {
    summary:
      'Issue and manage API keys, signers, site keys and accounts, of the local service that runs or of a deployed stack.',
    examples: [
      'keys create --plan pro --account-name "Acme" --name "web shop"',
      'keys usage acc_0123456789abcdef01 --stack ImageRedirect-prod --profile ops',
      'keys create --plan free --name ci --json | jq -r .key',
    ],
    more: exitCodesHelp,
  }).helpCommand('help [command]', 'Show the options and examples of a command.');
  for (const each of [create, list, show, rotate, revoke, setPlan, setName, usage])
    command.addCommand(withKeysOptions(each()));
  command.addCommand(signer()).addCommand(site());
  return command;
}
