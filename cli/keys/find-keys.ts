/** Finds the keys, signers and site keys that a command names, and says so when there are none. */

import { isAccountId } from '../../lambda/credentials/account-id';
import type { KeyRecord } from '../../lambda/credentials/api-keys';
import { allKeys, type KeyServices, keysOf } from '../../lambda/credentials/key-store';
import { findByKeyId } from '../../lambda/credentials/manage-keys';
import { notFound } from '../failure';
import type { CredentialKind } from './kinds';

const isOfKind = ({ kind }: CredentialKind, record: KeyRecord) => (record.publishedAs ?? 'key') === kind;

/** The record of an id. @throws `Failure` with the code for what is not found */
export async function findKey(services: KeyServices, id: string, kind: CredentialKind): Promise<KeyRecord> {
  const record = await findByKeyId(services, id);
  const { noun, commands } = kind;
  if (!record || !isOfKind(kind, record))
    throw notFound(`There is no ${noun} ${id}. "${commands} list" shows all ${noun}s.`);
  return record;
}

/** What an account has, oldest first: at least one. @throws `Failure` with the code for what is not found */
async function recordsOfAccount(services: KeyServices, account: string): Promise<readonly KeyRecord[]> {
  const records = isAccountId(account) ? await keysOf(services, account) : [];
  if (records.length === 0) throw notFound(`There is no account ${account}. "keys list" shows all accounts.`);
  return records;
}

/** The newest record of an account, with its plan and its name. @throws `Failure` with the code for what is not found */
export async function accountOf(services: KeyServices, account: string): Promise<KeyRecord> {
  return (await recordsOfAccount(services, account)).at(-1) as KeyRecord;
}

/** All records of a kind, by account and age. @param account only its own; absent for all */
export async function recordsOf(
  services: KeyServices,
  kind: CredentialKind,
  account: string | undefined,
): Promise<readonly KeyRecord[]> {
  const records: KeyRecord[] = [];
  if (account === undefined) for await (const record of allKeys(services)) records.push(record);
  else records.push(...(await recordsOfAccount(services, account)));
  const order = (record: KeyRecord) => `${record.account} ${record.createdAt}`;
  return records.filter((each) => isOfKind(kind, each)).sort((a, b) => (order(a) < order(b) ? -1 : 1));
}
