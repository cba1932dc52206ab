/** Issues the demo keys: an account for each plan, with keys that survive a restart. */

import { createToolServices, type Database } from '../lambda/aws/dynamodb';
import { systemClock } from '../lambda/base/clock';
import { systemIds } from '../lambda/base/ids';
import { type PlanName, planNames } from '../lambda/contract/plans';
import { hashApiKey, type KeyMode } from '../lambda/credentials/api-key';
import { isUsable } from '../lambda/credentials/authorize';
import type { AccountId } from '../lambda/credentials/caller';
import { findKey } from '../lambda/credentials/key-store';
import { issueKey } from '../lambda/credentials/manage-keys';

/** Keys and ids of the demo accounts. `keys signer create` takes the ids. */
export interface DemoAccounts {
  readonly keys: Readonly<Record<PlanName, Readonly<Record<KeyMode, string>>>>;
  readonly accounts: Readonly<Record<PlanName, AccountId>>;
}

/** Issues the demo keys. @param stored the keys of the last start, which stay unless one was revoked */
export async function issueDemoKeys(
  database: Database,
  tableName: string,
  stored?: DemoAccounts,
): Promise<DemoAccounts> {
  const services = {
    ...createToolServices(database),
    tables: { apiKeys: tableName },
    ids: systemIds,
    readPrincipal: async () => 'npm start',
  };
  const storedKeys = Object.values(stored?.keys ?? {}).flatMap(({ live, test }) => [live, test]);
  const records = await Promise.all(storedKeys.map((key) => findKey(services, hashApiKey(key))));
  const nowMs = systemClock.nowMs();
  if (stored && records.every((record) => record && isUsable(record, nowMs))) return stored;
  const keys = {} as Record<PlanName, Record<KeyMode, string>>;
  const accounts = {} as Record<PlanName, AccountId>;
  for (const plan of planNames) {
    const live = await issueKey(services, { mode: 'live', plan, name: `demo ${plan}` });
    const { account } = live.key;
    const test = await issueKey(services, { mode: 'test', plan, name: `demo ${plan} test`, account });
    keys[plan] = { live: live.secret, test: test.secret };
    accounts[plan] = account;
  }
  return { keys, accounts };
}
