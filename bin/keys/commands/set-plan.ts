/** `set-plan`: puts an account, with all its keys, on a plan. */

import type { KeyRecord } from '../../../lambda/ports/api-keys';
import { keysOfAccount, readPlan } from '../arguments';
import type { Command } from '../command';

export const setPlan: Command = {
  name: 'set-plan',
  positionals: ['ACCOUNT', 'PLAN'],
  summary: 'Put an account on a plan. The limit changes at once; what was spent stays.',
  options: {},
  examples: ['set-plan acc_0123456789abcdef01 business'],
  prepare([accountText = '', planText = '']) {
    const plan = readPlan(planText);
    return async ({ keys, output }) => {
      const { account } = (await keysOfAccount(keys, accountText)).at(-1) as KeyRecord;
      const count = await keys.setPlan(account, plan);
      output.result({ account, plan, keys: count }, () => {
        const of = count === 1 ? 'its one key' : `all its ${count} keys`;
        return `Account ${account} is on plan ${plan}, with ${of}.`;
      });
    };
  },
};
