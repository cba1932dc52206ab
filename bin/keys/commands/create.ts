/** `create`: makes a key, of a new account or one more of an existing one. */

import { type Command, Option } from 'commander';
import { type PlanName, planNames } from '../../../lambda/contract/plans';
import type { KeyRecord } from '../../../lambda/ports/api-keys';
import { createCommand } from '../../operator/command';
import { wrongUsage } from '../../operator/failure';
import { keysOfAccount } from '../find-keys';
import { showIssued } from '../issued-view';
import { withSession } from '../session';

const nameCharactersMax = 100;

interface CreateOptions {
  readonly plan?: PlanName;
  readonly name: string;
  readonly account?: string;
  readonly test?: boolean;
}

export const create = (): Command =>
  createCommand('create', {
    summary: 'Create a key. It is shown once.',
    examples: [
      'keys create --plan pro --name "web shop"',
      'keys create --account acc_0123456789abcdef01 --test --name "web shop, staging"',
      'keys create --plan free --name ci --json',
    ],
  })
    .addOption(new Option('--plan <PLAN>', 'plan of a new account (default: free)').choices(planNames))
    .option('--name <TEXT>', 'what the key is for', readName, 'unnamed')
    .option('--account <ID>', 'add the key to this account, on its plan')
    .option('--test', 'create a test key: an hourly limit of its own, no quota used')
    .action((options: CreateOptions, command: Command) =>
      withSession(command, async ({ keys, output }) => {
        const { account, name, plan, test } = options;
        const mode = test ? 'test' : 'live';
        if (account === undefined) {
          showIssued(output, await keys.issue({ mode, plan: plan ?? 'free', name }));
          return;
        }
        const { plan: current, account: known } = (await keysOfAccount(keys, account)).at(-1) as KeyRecord;
        if (plan !== undefined && plan !== current)
          throw wrongUsage(`The account is on plan ${current}. "keys set-plan" changes it for all its keys.`);
        showIssued(output, await keys.issue({ mode, plan: current, name, account: known }));
      }),
    );

function readName(text: string): string {
  const name = text.trim();
  if (name === '' || [...name].length > nameCharactersMax || /\p{Cc}/u.test(name))
    throw wrongUsage(`--name takes 1 to ${nameCharactersMax} characters without control characters.`);
  return name;
}
