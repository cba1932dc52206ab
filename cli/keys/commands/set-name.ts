/** `set-name`: names an account, on all its keys. */

import { Argument, type Command } from 'commander';
import { routes } from '../../../lambda/contract/routes';
import type { KeyRecord } from '../../../lambda/credentials/api-keys';
import { createCommand } from '../../command';
import { keysOfAccount } from '../find-keys';
import { readName } from '../read-name';
import { withSession } from '../session';

export const setName = (): Command =>
  createCommand('set-name', {
    summary: 'Name an account. The name is shown in tables, usage reports and threshold events.',
    examples: ['keys set-name acc_0123456789abcdef01 "Acme"'],
  })
    .argument('<ACCOUNT>', 'id of the account')
    .addArgument(new Argument('<NAME>', 'its name').argParser((text: string) => readName('<NAME>', text)))
    .action((accountText: string, accountName: string, _, command: Command) =>
      withSession(command, async ({ keys, output }) => {
        const { account } = (await keysOfAccount(keys, accountText)).at(-1) as KeyRecord;
        const count = await keys.setName(account, accountName);
        output.result(
          { account, accountName, keys: count },
          () =>
            `Account ${account} is called ${accountName}. Events and GET ${routes.usage} show the name within a minute.`,
        );
      }),
    );
