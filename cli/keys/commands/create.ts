/** `create`: makes a key, of a new account or one more of an existing one. */

import { type Command, Option } from 'commander';
import { type PlanName, planNames } from '../../../lambda/contract/plans';
import type { KeyRecord } from '../../../lambda/credentials/api-keys';
import { createCommand } from '../../command';
import { wrongUsage } from '../../failure';
import { keysOfAccount } from '../find-keys';
import { showIssued } from '../issued-view';
import { readMaxPerMonth } from '../max-per-month';
import { readName } from '../read-name';
import { withSession } from '../session';

interface CreateOptions {
  readonly plan?: PlanName;
  readonly name: string;
  readonly account?: string;
  readonly accountName?: string;
  readonly test?: boolean;
  readonly maxPerMonth?: number;
}

export const create = (): Command =>
  createCommand('create', {
    summary: 'Create a key. It is shown once.',
    examples: [
      'keys create --plan pro --account-name "Acme" --name "web shop"',
      'keys create --account acc_0123456789abcdef01 --test --name "web shop, staging"',
      'keys create --plan free --name ci --json',
      'keys create --account acc_0123456789abcdef01 --max-per-month 5000',
    ],
  })
    .addOption(new Option('--plan <PLAN>', 'plan of a new account (default: free)').choices(planNames))
    .option('--name <TEXT>', 'what the key is for', (text) => readName('--name', text), 'unnamed')
    .option('--account-name <TEXT>', 'name of a new account', (text) => readName('--account-name', text))
    .option('--account <ID>', 'add the key to this account, on its plan')
    .option('--test', 'create a test key: an hourly limit of its own, no quota used')
    .option(
      '--max-per-month <N>',
      'requests that this key may spend in a month, beside its plan',
      readMaxPerMonth,
    )
    .action((options: CreateOptions, command: Command) =>
      withSession(command, async ({ keys, output }) => {
        const { account, accountName, name, plan, test, maxPerMonth } = options;
        const mode = test ? 'test' : 'live';
        const bound = maxPerMonth === undefined ? {} : { maxPerMonth };
        if (account === undefined) {
          const named = accountName === undefined ? {} : { accountName };
          showIssued(output, await keys.issue({ mode, plan: plan ?? 'free', name, ...named, ...bound }));
          return;
        }
        const record = (await keysOfAccount(keys, account)).at(-1) as KeyRecord;
        const { plan: current, account: known } = record;
        if (accountName !== undefined && accountName !== record.accountName)
          throw wrongUsage('The account exists already. "keys set-name" names it on all its keys.');
        if (plan !== undefined && plan !== current)
          throw wrongUsage(`The account is on plan ${current}. "keys set-plan" changes it for all its keys.`);
        showIssued(output, await keys.issue({ mode, plan: current, name, account: known, ...bound }));
      }),
    );
