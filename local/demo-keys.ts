/** The demo accounts of the local service: one for each plan, with a live and a test key that survive a restart. */

import { type Database, untimed } from '../lambda/aws/dynamodb';
import { systemClock, systemIds } from '../lambda/base/system';
import { type PlanName, planNames } from '../lambda/contract/plans';
import { hashApiKey, type KeyMode } from '../lambda/credentials/api-key';
import { isUsable } from '../lambda/credentials/authorize';
import type { AccountId } from '../lambda/credentials/caller';
import { findKey } from '../lambda/credentials/key-store';
import { issueKey } from '../lambda/credentials/manage-keys';

/** A live and a test key of each plan. */
export type DemoKeys = Readonly<Record<PlanName, Readonly<Record<KeyMode, string>>>>;

/** The demo accounts: their keys, and their ids, to which an operator adds signers and site keys. */
export interface DemoAccounts {
  readonly keys: DemoKeys;
  readonly accounts: Readonly<Record<PlanName, AccountId>>;
}

/**
 * The demo accounts. A plan gets new keys unless both of an earlier start can still be used: the tables may have been
 * emptied beside them, and a key revoked.
 * @param kept the keys of an earlier start
 */
export async function issueDemoKeys(
  database: Database,
  tableName: string,
  kept: DemoKeys | undefined,
): Promise<DemoAccounts> {
  const services = {
    ...untimed(database),
    tables: { apiKeys: tableName },
    ids: systemIds,
    readPrincipal: async () => 'npm start',
  };
  const accountOf = async (key: string) => {
    const record = await findKey(services, hashApiKey(key));
    return record && isUsable(record, systemClock.nowMs()) ? record.account : undefined;
  };
  const keys = {} as Record<PlanName, Record<KeyMode, string>>;
  const accounts = {} as Record<PlanName, AccountId>;
  for (const plan of planNames) {
    const [before, other] = kept ? await Promise.all(Object.values(kept[plan]).map(accountOf)) : [];
    if (kept && before && other) {
      [keys[plan], accounts[plan]] = [kept[plan], before];
      continue;
    }
    const live = await issueKey(services, { mode: 'live', plan, name: `demo ${plan}` });
    const { account } = live.record;
    const test = await issueKey(services, { mode: 'test', plan, name: `demo ${plan} test`, account });
    [keys[plan], accounts[plan]] = [{ live: live.key, test: test.key }, account];
  }
  return { keys, accounts };
}
