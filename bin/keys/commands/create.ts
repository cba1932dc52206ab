/** `create`: makes a key, of a new account or one more of an existing one. */

import type { KeyRecord } from '../../../lambda/ports/api-keys';
import { wrongUsage } from '../../operator/failure';
import { keysOfAccount, readPlan } from '../arguments';
import type { Command } from '../command';
import { showIssued } from '../issued-view';

const nameCharactersMax = 100;

export const create: Command = {
  name: 'create',
  positionals: [],
  summary: 'Make a key. It is shown once.',
  options: {
    plan: { type: 'string', value: 'PLAN', help: 'free (default), pro, business or enterprise' },
    name: { type: 'string', value: 'TEXT', help: 'what the key is for, to tell it from others' },
    account: { type: 'string', value: 'ID', help: 'add the key to this account, on its plan' },
    test: { type: 'boolean', help: 'make a test key: an hourly limit of its own, no quota used' },
  },
  examples: [
    'create --plan pro --name "web shop"',
    'create --account acc_0123456789abcdef01 --test --name "web shop, staging"',
    'create --plan free --name ci --json',
  ],
  prepare(_, { plan, name = 'unnamed', account, test }) {
    const wanted = plan === undefined ? undefined : readPlan(String(plan));
    const label = String(name).trim();
    if (label === '' || [...label].length > nameCharactersMax || /\p{Cc}/u.test(label))
      throw wrongUsage(`--name takes 1 to ${nameCharactersMax} characters without control characters.`);
    const mode = test ? 'test' : 'live';
    return async ({ keys, output }) => {
      if (account === undefined) {
        showIssued(output, await keys.issue({ mode, plan: wanted ?? 'free', name: label }));
        return;
      }
      const existing = await keysOfAccount(keys, String(account));
      const { plan: current, account: known } = existing.at(-1) as KeyRecord;
      if (wanted !== undefined && wanted !== current)
        throw wrongUsage(`The account is on plan ${current}. "set-plan" changes it for all its keys.`);
      showIssued(output, await keys.issue({ mode, plan: current, name: label, account: known }));
    };
  },
};
