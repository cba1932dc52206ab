/** The demo accounts: one for each plan, with keys that survive a restart. */

import { type Database, toolServices } from '../lambda/aws/dynamodb';
import { systemClock } from '../lambda/base/clock';
import { systemIds } from '../lambda/base/ids';
import { type PlanName, planNames } from '../lambda/contract/plans';
import { hashApiKey, type KeyMode } from '../lambda/credentials/api-key';
import { isUsable } from '../lambda/credentials/authorize';
import type { AccountId } from '../lambda/credentials/caller';
import { findKey } from '../lambda/credentials/key-store';
import { issueKey } from '../lambda/credentials/manage-keys';

export type DemoKeys = Readonly<Record<PlanName, Readonly<Record<KeyMode, string>>>>;

/** Keys and ids of the demo accounts. `keys signer create` takes the ids. */
export interface DemoAccounts {
  readonly keys: DemoKeys;
  readonly accounts: Readonly<Record<PlanName, AccountId>>;
}

/**
 * Issues the demo keys. A plan keeps the keys of the last start unless one was revoked.
 * @param storedKeys the keys of the last start
 */
export async function issueDemoKeys(
  database: Database,
  tableName: string,
  storedKeys: DemoKeys | undefined,
): Promise<DemoAccounts> {
  const services = {
    ...toolServices(database),
    tables: { apiKeys: tableName },
    ids: systemIds,
    readPrincipal: async () => 'npm start',
  };
  const accountOf = async (key: string) => {
    const record = await findKey(services, hashApiKey(key));
    return record && isUsable(record, systemClock.nowMs()) ? record.account : undefined;
  };
  const reuse = async (keys: DemoKeys[PlanName]) => {
    const [account, testAccount] = await Promise.all([accountOf(keys.live), accountOf(keys.test)]);
    return account && testAccount ? { keys, account } : undefined;
  };
  const issue = async (plan: PlanName) => {
    const live = await issueKey(services, { mode: 'live', plan, name: `demo ${plan}` });
    const { account } = live.record;
    const test = await issueKey(services, { mode: 'test', plan, name: `demo ${plan} test`, account });
    return { keys: { live: live.key, test: test.key }, account };
  };
  const keys = {} as Record<PlanName, Record<KeyMode, string>>;
  const accounts = {} as Record<PlanName, AccountId>;
  for (const plan of planNames) {
    const demo = (storedKeys && (await reuse(storedKeys[plan]))) ?? (await issue(plan));
    [keys[plan], accounts[plan]] = [demo.keys, demo.account];
  }
  return { keys, accounts };
}
