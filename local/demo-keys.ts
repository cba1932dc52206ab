/** The demo accounts of the local service: one for each plan, with a live and a test key that survive a restart. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import type { Database } from '../lambda/aws/dynamodb/call';
import { systemClock } from '../lambda/base/system';
import { type PlanName, planNames } from '../lambda/contract/plans';
import { hashApiKey, type KeyMode } from '../lambda/credentials/api-key';
import type { ApiKeyRegister } from '../lambda/credentials/api-keys';
import { isUsable } from '../lambda/credentials/authorize';
import { createApiKeyRegister } from '../lambda/credentials/dynamodb/api-key-register';
import { createManageKeys, type ManageKeys } from '../lambda/credentials/manage-keys';
import { readKept, writeKept } from './data-folder';

export type DemoKeys = Readonly<Record<PlanName, Readonly<Record<KeyMode, string>>>>;

/** A plan may be new since the file was written, but there has always been one. */
const keptSchema = z
  .partialRecord(z.enum(planNames), z.object({ live: z.string().min(1), test: z.string().min(1) }))
  .refine((kept) => Object.keys(kept).length > 0);

/**
 * The demo keys, made on the first start.
 * @throws `Failure` when the file that holds them is damaged
 * @param folder where they are kept in plain text, readable by their owner only; absent for a service that keeps everything in memory
 */
export async function issueDemoKeys(
  db: Database,
  tableName: string,
  folder: string | undefined,
): Promise<DemoKeys> {
  const register = createApiKeyRegister(db, tableName);
  const keys = createManageKeys({ register, clock: systemClock, randomBytes });
  return demoKeys(keys, register, folder && join(folder, 'demo-keys.json'));
}

async function demoKeys(
  keys: ManageKeys,
  register: ApiKeyRegister,
  file: string | undefined,
): Promise<DemoKeys> {
  const kept =
    file === undefined ? undefined : readKept(file, keptSchema, 'the next start creates new demo keys');
  if (kept && (await areKnown(kept, register))) {
    // A folder of an earlier version has accounts without one.
    await keys.addMissingSigners();
    return kept as DemoKeys;
  }
  const made = {} as Record<PlanName, Record<KeyMode, string>>;
  for (const plan of planNames) {
    const live = await keys.issue({ mode: 'live', plan, name: `demo ${plan}` });
    const { account } = live.record;
    const test = await keys.issue({ mode: 'test', plan, name: `demo ${plan} test`, account });
    made[plan] = { live: live.key, test: test.key };
  }
  if (file !== undefined) writeKept(file, made);
  return made;
}

/** The data folder may have been emptied beside the file, and a demo key may have been revoked. */
async function areKnown(kept: Partial<DemoKeys>, register: ApiKeyRegister): Promise<boolean> {
  const all = planNames.flatMap((plan) => Object.values(kept[plan] ?? {}));
  const found = await Promise.all(all.map((key) => register.find(hashApiKey(key))));
  return (
    all.length === planNames.length * 2 &&
    found.every((record) => record !== undefined && isUsable(record, systemClock.nowMs()))
  );
}
