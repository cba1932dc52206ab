/** Finds the keys that a command names, and says so when there are none. */

import { isAccountId } from '../../lambda/domain/caller/account-id';
import type { KeyRecord } from '../../lambda/ports/api-keys';
import type { ManageKeys } from '../../lambda/usecases/keys/manage-keys';
import { notFound, wrongUsage } from '../operator/failure';

/** A key is named by its id; the key itself belongs on no command line, and is not repeated here. */
export function readKeyId(text: string): string {
  if (/^pk_/.test(text))
    throw wrongUsage(
      'That is a key, not a key id. Keys do not belong on a command line: "keys list" shows their ids.',
    );
  return text;
}

/** @throws `Failure` with the code for what is not found */
export async function findKey(keys: ManageKeys, keyId: string): Promise<KeyRecord> {
  const record = await keys.find(keyId);
  if (!record) throw notFound(`There is no key ${keyId}. "keys list" shows all keys.`);
  return record;
}

/** The keys of an account that has some. @throws `Failure` with the code for what is not found */
export async function keysOfAccount(keys: ManageKeys, account: string): Promise<readonly KeyRecord[]> {
  const records = isAccountId(account) ? await keys.ofAccount(account) : [];
  if (records.length === 0) throw notFound(`There is no account ${account}. "keys list" shows all accounts.`);
  return records;
}
