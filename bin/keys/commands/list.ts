/** `list`: all keys, or those of one account. */

import type { KeyRecord } from '../../../lambda/ports/api-keys';
import { table } from '../../operator/output';
import { keysOfAccount } from '../arguments';
import type { Command } from '../command';
import { type KeyView, keyView } from '../key-view';

export const list: Command = {
  name: 'list',
  positionals: [],
  summary: 'Show all keys, by account and age.',
  options: { account: { type: 'string', value: 'ID', help: 'only the keys of this account' } },
  examples: ['list', 'list --account acc_0123456789abcdef01 --json'],
  prepare(_, { account }) {
    return async ({ keys, nowMs, output }) => {
      const records: KeyRecord[] = [];
      if (account === undefined) for await (const record of keys.all()) records.push(record);
      else records.push(...(await keysOfAccount(keys, String(account))));
      const order = ({ account, createdAt }: KeyRecord) => `${account} ${createdAt}`;
      const views = records
        .sort((a, b) => (order(a) < order(b) ? -1 : 1))
        .map((record) => keyView(record, nowMs()));
      output.result(views, () => (views.length === 0 ? 'There are no keys yet.' : keyTable(views)));
    };
  },
};

function keyTable(views: readonly KeyView[]): string {
  return table(
    ['KEY ID', 'ACCOUNT', 'PLAN', 'MODE', 'STATE', 'CREATED', 'NAME'],
    views.map(({ keyId, account, plan, mode, state, createdAt, name }) => [
      keyId,
      account,
      plan,
      mode,
      state,
      createdAt.slice(0, 10),
      name,
    ]),
  );
}
