/** `set-plan` and `set-name`: change an account, on all its keys. */

import { Argument, type Command } from 'commander';
import { type PlanName, planNames } from '../../lambda/contract/plans';
import { routes } from '../../lambda/contract/routes';
import { createCommand } from '../command';
import { readName } from '../option-values';
import { accountOf } from './find-keys';
import { withSession } from './session';

/** Puts an account on a plan. */
export const setPlan = (): Command =>
  createCommand('set-plan', {
    summary: 'Put an account on a plan. The limit changes within a minute; what was used stays counted.',
    examples: ['keys set-plan acc_0123456789abcdef01 business'],
  })
    .argument('<ACCOUNT>', 'id of the account')
    .addArgument(new Argument('<PLAN>', 'the new plan').choices(planNames))
    .action((id: string, plan: PlanName, _, command: Command) =>
      withSession(command, async ({ keys, output }) => {
        const { account } = await accountOf(keys, id);
        const count = await keys.setPlan(account, plan);
        const of = count === 1 ? 'its one key' : `all its ${count} keys`;
        output.result(
          { account, plan, keys: count },
          () => `Account ${account} is on plan ${plan}, with ${of}. The limit changes within a minute.`,
        );
      }),
    );

/** Names an account. */
export const setName = (): Command =>
  createCommand('set-name', {
    summary: 'Name an account. The name is shown in tables, usage reports and threshold events.',
    examples: ['keys set-name acc_0123456789abcdef01 "Acme"'],
  })
    .argument('<ACCOUNT>', 'id of the account')
    .argument('<NAME>', 'its name', readName('<NAME>'))
    .action((id: string, accountName: string, _, command: Command) =>
      withSession(command, async ({ keys, output }) => {
        const { account } = await accountOf(keys, id);
        const count = await keys.setName(account, accountName);
        output.result(
          { account, accountName, keys: count },
          () =>
            `Account ${account} is called ${accountName}. Events and GET ${routes.usage} show the name within a minute.`,
        );
      }),
    );
