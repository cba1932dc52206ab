/** The demo accounts of the local service: one for each plan, with a live and a test key that survive a restart. */

import { join } from 'node:path';
import * as z from 'zod';
import { type Database, untimed } from '../lambda/aws/dynamodb';
import { systemClock, systemIds } from '../lambda/base/system';
import { type PlanName, planNames } from '../lambda/contract/plans';
import type { AccountId } from '../lambda/credentials/account-id';
import { hashApiKey, type KeyMode } from '../lambda/credentials/api-key';
import { isUsable } from '../lambda/credentials/authorize';
import { findKey, type KeyServices } from '../lambda/credentials/key-store';
import { issueKey } from '../lambda/credentials/manage-keys';
import { readKept, writeKept } from './data-folder';

/** A live and a test key of each plan. */
export type DemoKeys = Readonly<Record<PlanName, Readonly<Record<KeyMode, string>>>>;

const keptSchema = z.record(
  z.enum(planNames),
  z.object({ live: z.string().min(1), test: z.string().min(1) }),
);

/** The demo accounts: their keys, and their ids, to which an operator adds signers and site keys. */
export interface DemoAccounts {
  readonly keys: DemoKeys;
  readonly accounts: Readonly<Record<PlanName, AccountId>>;
}

/**
 * The demo accounts, made on the first start.
 * @throws `Failure` when the file that holds their keys is damaged
 * @param folder where the keys are kept in plain text, readable by their owner only; absent for a service that keeps everything in memory
 */
export async function issueDemoKeys(
  database: Database,
  tableName: string,
  folder: string | undefined,
): Promise<DemoAccounts> {
  const services = {
    ...untimed(database),
    tables: { apiKeys: tableName },
    ids: systemIds,
    readPrincipal: async () => 'npm start',
  };
  const file = folder && join(folder, 'demo-keys.json');
  const kept =
    file === undefined ? undefined : readKept(file, keptSchema, 'the next start creates new demo keys');
  const stored = kept && (await accountsOf(kept, services));
  if (kept && stored) return { keys: kept, accounts: stored };
  const keys = {} as Record<PlanName, Record<KeyMode, string>>;
  const accounts = {} as Record<PlanName, AccountId>;
  for (const plan of planNames) {
    const live = await issueKey(services, { mode: 'live', plan, name: `demo ${plan}` });
    const { account } = live.record;
    const test = await issueKey(services, { mode: 'test', plan, name: `demo ${plan} test`, account });
    keys[plan] = { live: live.key, test: test.key };
    accounts[plan] = account;
  }
  if (file !== undefined) writeKept(file, keys);
  return { keys, accounts };
}

/** `undefined` where not all keys can be used: the data folder may have been emptied beside the file, and a key revoked. */
async function accountsOf(
  kept: DemoKeys,
  services: KeyServices,
): Promise<DemoAccounts['accounts'] | undefined> {
  const entries = await Promise.all(
    planNames.map(async (plan) => {
      const both = Object.values(kept[plan]).map((key) => findKey(services, hashApiKey(key)));
      const records = (await Promise.all(both)).filter(
        (record) => record !== undefined && isUsable(record, systemClock.nowMs()),
      );
      return [plan, records.length === 2 ? records[0]?.account : undefined] as const;
    }),
  );
  return entries.every(([, account]) => account !== undefined)
    ? (Object.fromEntries(entries) as DemoAccounts['accounts'])
    : undefined;
}
