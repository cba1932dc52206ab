/** Finds the keys, signers and site keys that a command names, and says so when there are none. */

import { isAccountId } from '../../lambda/credentials/account-id';
import type { KeyRecord } from '../../lambda/credentials/api-keys';
import type { ManageKeys } from '../../lambda/credentials/manage-keys';
import { notFound, wrongUsage } from '../failure';

/** A key is named by its id; what is secret belongs on no command line, and is not repeated here. */
export function readKeyId(text: string): string {
  if (/^pk_/.test(text))
    throw wrongUsage(
      'That is a key, not a key id. Keys do not belong on a command line: "keys list" shows their ids.',
    );
  if (/^sgs_/.test(text))
    throw wrongUsage(
      'That is the secret of a signer, not its id. Secrets do not belong on a command line: "keys signer list" shows the ids.',
    );
  if (/^site_(live|test)_/.test(text))
    throw wrongUsage('That is a site key, not its id. "keys site list" shows the ids.');
  return text;
}

/** What a kind of record is called, and the command that lists them. */
const kinds = {
  key: { noun: 'key', list: 'keys list' },
  signer: { noun: 'signer', list: 'keys signer list' },
  site: { noun: 'site key', list: 'keys site list' },
} as const;
export type KeyKind = keyof typeof kinds;

/** Whether a record is an API key, a signer or a site key. */
function isOfKind(kind: KeyKind, { publishedAs }: KeyRecord): boolean {
  return (publishedAs ?? 'key') === kind;
}

/** @throws `Failure` with the code for what is not found */
export async function findKey(keys: ManageKeys, keyId: string, kind: KeyKind = 'key'): Promise<KeyRecord> {
  const record = await keys.find(keyId);
  const { noun, list } = kinds[kind];
  if (!record || !isOfKind(kind, record))
    throw notFound(`There is no ${noun} ${keyId}. "${list}" shows all ${noun}s.`);
  return record;
}

/** What an account has, of which there is something. @throws `Failure` with the code for what is not found */
export async function keysOfAccount(keys: ManageKeys, account: string): Promise<readonly KeyRecord[]> {
  const records = isAccountId(account) ? await keys.ofAccount(account) : [];
  if (records.length === 0) throw notFound(`There is no account ${account}. "keys list" shows all accounts.`);
  return records;
}

/** All records of a kind, by account and age. @param account only its own; absent for all */
export async function recordsOf(
  keys: ManageKeys,
  kind: KeyKind,
  account: string | undefined,
): Promise<readonly KeyRecord[]> {
  const records: KeyRecord[] = [];
  if (account === undefined) for await (const record of keys.all()) records.push(record);
  else records.push(...(await keysOfAccount(keys, account)));
  const order = (record: KeyRecord) => `${record.account} ${record.createdAt}`;
  return records.filter((each) => isOfKind(kind, each)).sort((a, b) => (order(a) < order(b) ? -1 : 1));
}
