/** Reads the arguments that several commands take. */

import { isPlanName, type PlanName, planNames } from '../../lambda/contract/plans';
import { isAccountId } from '../../lambda/domain/caller/account-id';
import type { KeyRecord } from '../../lambda/ports/api-keys';
import type { ManageKeys } from '../../lambda/usecases/keys/manage-keys';
import { notFound, wrongUsage } from '../operator/failure';

/** @throws `Failure` with the usage code */
export function readPlan(text: string): PlanName {
  if (!isPlanName(text)) throw wrongUsage(`A plan is one of ${planNames.join(', ')}, not "${text}".`);
  return text;
}

/** A key is named by its id; the key itself belongs on no command line, and is not repeated here. */
export function readKeyId(text: string): string {
  if (/^pk_/.test(text))
    throw wrongUsage(
      'That is a key, not a key id. Keys do not belong on a command line: see "list" for ids.',
    );
  return text;
}

/** @throws `Failure` with the code for what is not found */
export async function findKey(keys: ManageKeys, keyId: string): Promise<KeyRecord> {
  const record = await keys.find(keyId);
  if (!record) throw notFound(`There is no key ${keyId}. "list" shows all keys.`);
  return record;
}

/** The keys of an account that has some. @throws `Failure` with the code for what is not found */
export async function keysOfAccount(keys: ManageKeys, account: string): Promise<readonly KeyRecord[]> {
  const records = isAccountId(account) ? await keys.ofAccount(account) : [];
  if (records.length === 0) throw notFound(`There is no account ${account}. "list" shows all accounts.`);
  return records;
}
