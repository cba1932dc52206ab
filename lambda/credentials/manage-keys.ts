/** Issues, rotates, revokes and renames credentials, for an operator or the owner of an account. */

import { dropUndefined } from '../base/drop-undefined';
import type { Ids } from '../base/ids';
import { createPauses } from '../base/retry';
import { hashApiKey, makeKey } from './api-key';
import type { AccountId } from './caller';
import {
  addKey,
  changeKey,
  findKey,
  getKeyRef,
  type KeyChange,
  type KeyRecord,
  type KeyRef,
  type KeyServices,
  readAccountKeys,
  readAllKeys,
} from './key-store';
import { makeSignerId } from './signer';

export interface ManageServices extends KeyServices {
  readonly ids: Pick<Ids, 'bytes'>;
  /** Reads the principal that makes the changes. Throws, before any change, when it is unknown. */
  readonly readPrincipal: () => Promise<string>;
}

/** A new credential. `key` is shown once, and stored nowhere. */
export interface IssuedKey {
  /** Empty for a signer, whose secret is derived from its id. */
  readonly key: string;
  readonly record: KeyRecord;
  readonly signer?: KeyRecord;
}

type Optional<T> = { readonly [N in keyof T]?: T[N] | undefined };

/** The order of an API key, or of a signer or site key by `publishedAs`. A site key has origins and a cap. */
export interface KeyOrder
  extends Pick<KeyRecord, 'mode' | 'plan' | 'name'>,
    Optional<Pick<KeyRecord, 'accountName' | 'publishedAs' | 'origins' | 'maxPerMonth'>> {
  /** An existing account, whose plan and name apply in place of those of the order; absent for a new one. */
  readonly account?: AccountId | undefined;
  /** Absent: the first live key of an account owns it. */
  readonly role?: 'owner' | 'member' | undefined;
}

/** Plan and name of an account, which all of its keys share. */
type AccountProfile = Pick<KeyRecord, 'plan' | 'accountName'>;

/** Makes a credential; with an API key also a signer, for an account that never had one of its mode. */
export async function issueKey(services: ManageServices, order: KeyOrder): Promise<IssuedKey> {
  const account = order.account ?? (newHandle(services, 'acc') as AccountId);
  const accountKeys = order.account === undefined ? [] : await readCurrentKeys(services, account);
  const hasLiveKey = accountKeys.some((other) => other.mode === 'live' && !other.publishedAs);
  const role = order.role ?? (hasLiveKey ? 'member' : 'owner');
  const { plan, accountName } = findProfile(accountKeys) ?? order;
  const issued = await addCredential(services, { ...order, account, role, plan, accountName });
  if (!bringsSigner(order, accountKeys)) return issued;
  // The signer takes plan and name from the key: the list of a new account may not show them yet.
  const { record } = issued;
  const profile = { mode: record.mode, plan: record.plan, accountName: record.accountName };
  const signerOrder = { account, ...profile, name: 'default', publishedAs: 'signer' } as const;
  return { ...issued, signer: (await addCredential(services, signerOrder)).record };
}

/** Tells whether a signer is made with a credential: with an API key, if its mode never had one. */
export function bringsSigner({ mode, publishedAs }: KeyOrder, accountKeys: readonly KeyRecord[]): boolean {
  return !publishedAs && !accountKeys.some((key) => key.publishedAs === 'signer' && key.mode === mode);
}

/** Adds one credential to an account. */
async function addCredential(
  services: ManageServices,
  order: KeyOrder & { readonly account: AccountId },
): Promise<IssuedKey> {
  const { mode, account, name, plan, accountName, publishedAs, origins, maxPerMonth } = order;
  const isSigner = publishedAs === 'signer';
  const isOwner = order.role === 'owner' && mode === 'live' && !publishedAs;
  const key = isSigner ? '' : makeKey(publishedAs ? 'site' : 'pk', mode, services.ids.bytes);
  const draft: KeyRecord = dropUndefined({
    mode,
    account,
    name,
    plan,
    accountName,
    publishedAs,
    origins,
    maxPerMonth,
    role: isOwner ? ('owner' as const) : undefined,
    keyId: isSigner ? makeSignerId(mode, services.ids.bytes) : newHandle(services, publishedAs ?? 'key'),
    hash: isSigner ? undefined : hashApiKey(key),
    // The prefix shows four of the random characters.
    prefix: isSigner ? undefined : key.slice(0, key.lastIndexOf('_') + 5),
    createdAt: writeMoment(services),
    createdBy: await services.readPrincipal(),
  });
  await addKey(services, draft);
  return { key, record: await adoptProfile(services, draft) };
}

/** Gives a new credential the plan and name that an operator has given to its account meanwhile. */
async function adoptProfile(services: ManageServices, record: KeyRecord): Promise<KeyRecord> {
  const profile = findProfile(await readCurrentKeys(services, record.account, record.keyId));
  return profile && differsFrom(record, profile) ? updateKey(services, record, profile) : record;
}

/** Makes a successor. The old credential works for `overlapMs` more, but not beyond its own end. */
export async function rotateKey(
  services: ManageServices,
  old: KeyRecord,
  overlapMs: number,
): Promise<IssuedKey> {
  const successor = await issueKey(services, { ...old, role: old.role ?? 'member' });
  const expiresAt = writeMoment(services, overlapMs);
  if (old.expiresAt === undefined || old.expiresAt > expiresAt) await updateKey(services, old, { expiresAt });
  return successor;
}

/** Revokes a credential. The date of its first revocation stays. */
export async function revokeKey(services: ManageServices, record: KeyRecord): Promise<KeyRecord> {
  if (record.revokedAt !== undefined) return record;
  return updateKey(services, record, { revokedAt: writeMoment(services) });
}

/**
 * Revokes an owner key, but not the last one of its account without an end: `undefined` then. Of two owner
 * keys that revoke each other at once, one revocation or both are undone; an earlier one stays.
 */
export async function revokeOwner(
  services: ManageServices,
  record: KeyRecord,
): Promise<KeyRecord | undefined> {
  const hasOtherOwner = async () =>
    (await readCurrentKeys(services, record.account, record.keyId)).some(
      ({ role, revokedAt, expiresAt }) => role === 'owner' && !revokedAt && !expiresAt,
    );
  const current = (await findKey(services, getKeyRef(record))) ?? record;
  if (current.revokedAt !== undefined) return current;
  if (!(await hasOtherOwner())) return undefined;
  const revoked = await revokeKey(services, current);
  if (await hasOtherOwner()) return revoked;
  await updateKey(services, record, { revokedAt: null });
  return undefined;
}

/** Sets plan or name of an account on each of its credentials, and returns the number of its API keys. */
export async function setAccountProfile(
  services: ManageServices,
  account: AccountId,
  profile: Partial<AccountProfile>,
): Promise<number> {
  // The list may lag behind the writing, so a key that was changed is not asked for again.
  const changedRefs = new Set<KeyRef>();
  // A key that is added between the reading and the writing shows up in the next reading.
  for (;;) {
    const keys = await readAccountKeys(services, account);
    const keysToChange = keys.filter((key) => differsFrom(key, profile) && !changedRefs.has(getKeyRef(key)));
    if (keysToChange.length === 0) return keys.filter(({ publishedAs }) => !publishedAs).length;
    for (const key of keysToChange) {
      changedRefs.add(getKeyRef(key));
      await updateKey(services, key, profile).catch(async (error: unknown) => {
        // Its account may be deleted at the same time, and the list still name it.
        if (await findKey(services, getKeyRef(key))) throw error;
      });
    }
  }
}

/** Finds a key by its public handle, by reading all keys: only operators look for one. */
export async function findByKeyId(services: KeyServices, keyId: string): Promise<KeyRecord | undefined> {
  for await (const record of readAllKeys(services)) if (record.keyId === keyId) return record;
  return undefined;
}

/** Changes one key, records who did, and returns the changed record. */
export async function updateKey(
  services: ManageServices,
  record: KeyRecord,
  change: Omit<KeyChange, 'changedAt' | 'changedBy'>,
): Promise<KeyRecord> {
  const attributes = {
    ...change,
    changedAt: writeMoment(services),
    changedBy: await services.readPrincipal(),
  };
  await changeKey(services, getKeyRef(record), attributes);
  const { revokedAt, ...fields } = { ...record, ...attributes };
  return { ...fields, ...(revokedAt && { revokedAt }) };
}

/** Reads the credentials of an account but one, oldest first. Each is read by itself: the list may lag. */
export async function readCurrentKeys(
  services: KeyServices,
  account: AccountId,
  exceptKeyId?: string,
): Promise<readonly KeyRecord[]> {
  const listedKeys = (await readAccountKeys(services, account)).filter(({ keyId }) => keyId !== exceptKeyId);
  const keys = await Promise.all(listedKeys.map((key) => findKey(services, getKeyRef(key))));
  return keys.filter((key) => key !== undefined);
}

/** Time that a new credential may take to be listed, in milliseconds: usually much less than a second. */
const listingMsMax = 3_000;

/** Waits until the list of the account shows a new credential, or seems to fail. */
export async function awaitListing(
  services: KeyServices,
  { account, keyId }: Pick<KeyRecord, 'account' | 'keyId'>,
): Promise<void> {
  const { clock } = services;
  const pause = createPauses(clock, { firstMs: 50, growth: 1.5, endsMs: clock.nowMs() + listingMsMax });
  do {
    const listed = await readAccountKeys(services, account).catch(() => undefined);
    // The credential exists, whatever becomes of its list.
    if (!listed || listed.some((other) => other.keyId === keyId)) return;
  } while (await pause());
}

function writeMoment({ clock }: ManageServices, offsetMs = 0): string {
  return new Date(clock.nowMs() + offsetMs).toISOString();
}

function newHandle({ ids }: ManageServices, prefix: string): string {
  return `${prefix}_${Buffer.from(ids.bytes(9)).toString('hex')}`;
}

function differsFrom(record: KeyRecord, profile: Partial<AccountProfile>): boolean {
  return (Object.keys(profile) as (keyof AccountProfile)[]).some((name) => record[name] !== profile[name]);
}

/** Plan and name by the newest key that is not revoked, or else by the newest: it was changed last. */
function findProfile(keys: readonly KeyRecord[]): AccountProfile | undefined {
  const newestKey = keys.filter(({ revokedAt }) => revokedAt === undefined).at(-1) ?? keys.at(-1);
  if (!newestKey) return undefined;
  return dropUndefined({ plan: newestKey.plan, accountName: newestKey.accountName });
}
