/** `set-plan`: puts an account, with all its keys, on a plan. */

import { Argument, type Command } from 'commander';
import { type PlanName, planNames } from '../../../lambda/contract/plans';
import type { KeyRecord } from '../../../lambda/credentials/api-keys';
import { createCommand } from '../../command';
import { keysOfAccount } from '../find-keys';
import { withSession } from '../session';

export const setPlan = (): Command =>
  createCommand('set-plan', {
    summary: 'Put an account on a plan. The limit changes within a minute; what was used stays counted.',
    examples: ['keys set-plan acc_0123456789abcdef01 business'],
  })
    .argument('<ACCOUNT>', 'id of the account')
    .addArgument(new Argument('<PLAN>', 'the new plan').choices(planNames))
    .action((accountText: string, plan: PlanName, _, command: Command) =>
      withSession(command, async ({ keys, output }) => {
        const { account } = (await keysOfAccount(keys, accountText)).at(-1) as KeyRecord;
        const count = await keys.setPlan(account, plan);
        output.result({ account, plan, keys: count }, () => {
          const of = count === 1 ? 'its one key' : `all its ${count} keys`;
          return `Account ${account} is on plan ${plan}, with ${of}. The limit changes within a minute.`;
        });
      }),
    );
