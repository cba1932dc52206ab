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
  getKeyReference,
  type KeyChange,
  type KeyServices,
  readAccountKeys,
  readAllKeys,
  type StoredKey,
} from './key-store';
import { makeSignerId } from './signer';

export interface ManageServices extends KeyServices {
  readonly ids: Pick<Ids, 'makeBytes'>;
  /** Reads the principal that makes the changes. Throws before any change if the principal is unknown. */
  readonly readPrincipal: () => Promise<string>;
}

/** A new credential. */
export interface IssuedKey {
  /** Shown once and stored nowhere. Empty for a signer, because its secret is derived from its id. */
  readonly secret: string;
  readonly key: StoredKey;
  /** The first signer of the account, if one came with the key. */
  readonly signer?: StoredKey;
}

type Optional<T> = { readonly [N in keyof T]?: T[N] | undefined };

/** The request for a new credential. Without `publishedAs` it is an API key. A site key has origins and a cap. */
export interface KeyRequest
  extends Pick<StoredKey, 'mode' | 'plan' | 'name'>,
    Optional<Pick<StoredKey, 'accountName' | 'publishedAs' | 'origins' | 'maxPerMonth'>> {
  /** An existing account. Its plan and name replace those of the request. Without it, the key begins a new account. */
  readonly account?: AccountId | undefined;
  /** When absent, the first live key of an account becomes its owner. */
  readonly role?: 'owner' | 'member' | undefined;
}

/** The plan and the name of an account. All of its credentials have the same. */
type AccountProfile = Pick<StoredKey, 'plan' | 'accountName'>;

/** Issues a credential. The first API key of each mode brings a signer. */
export async function issueKey(services: ManageServices, request: KeyRequest): Promise<IssuedKey> {
  const account = request.account ?? (makeHandle(services, 'acc') as AccountId);
  const accountKeys = request.account === undefined ? [] : await readCurrentKeys(services, account);
  const hasLiveKey = accountKeys.some((accountKey) => accountKey.mode === 'live' && !accountKey.publishedAs);
  const role = request.role ?? (hasLiveKey ? 'member' : 'owner');
  const { plan, accountName } = findProfile(accountKeys) ?? request;
  const issuedKey = await addCredential(services, { ...request, account, role, plan, accountName });
  if (!needsSigner(request, accountKeys)) return issuedKey;
  // Plan and name come from the key, because the list of a new account may not show them yet.
  const signerRequest = { ...issuedKey.key, role: undefined, maxPerMonth: undefined, name: 'default' };
  const signer = await addCredential(services, { ...signerRequest, publishedAs: 'signer' });
  return { ...issuedKey, signer: signer.key };
}

/** Decides if a signer is made with a key: with an API key whose account never had a signer of its mode. */
export function needsSigner({ mode, publishedAs }: KeyRequest, accountKeys: readonly StoredKey[]): boolean {
  return !publishedAs && !accountKeys.some((key) => key.publishedAs === 'signer' && key.mode === mode);
}

async function addCredential(
  services: ManageServices,
  request: KeyRequest & { readonly account: AccountId },
): Promise<IssuedKey> {
  const { mode, account, name, plan, accountName, publishedAs, origins, maxPerMonth } = request;
  const isSigner = publishedAs === 'signer';
  const isOwner = request.role === 'owner' && mode === 'live' && !publishedAs;
  const secret = isSigner ? '' : makeKey(publishedAs ? 'site' : 'pk', mode, services.ids.makeBytes);
  const draft: StoredKey = dropUndefined({
    mode,
    account,
    name,
    plan,
    accountName,
    publishedAs,
    origins,
    maxPerMonth,
    role: isOwner ? ('owner' as const) : undefined,
    keyId: isSigner ? makeSignerId(mode, services.ids.makeBytes) : makeHandle(services, publishedAs ?? 'key'),
    hash: isSigner ? undefined : hashApiKey(secret),
    // The prefix shows four of the random characters.
    prefix: isSigner ? undefined : secret.slice(0, secret.lastIndexOf('_') + 5),
    createdAt: writeMoment(services),
    createdBy: await services.readPrincipal(),
  });
  await addKey(services, draft);
  // An operator may have changed the plan or name of the account at the same time.
  const otherKeys = (await readCurrentKeys(services, account)).filter(({ keyId }) => keyId !== draft.keyId);
  const profile = findProfile(otherKeys) ?? draft;
  const key = differsFrom(draft, profile) ? await updateKey(services, draft, profile) : draft;
  return { secret, key };
}

/** Rotates a credential: issues a successor. The old credential works for `overlapMs` more, but not beyond its end. */
export async function rotateKey(
  services: ManageServices,
  oldKey: StoredKey,
  overlapMs: number,
): Promise<IssuedKey> {
  const successor = await issueKey(services, { ...oldKey, role: oldKey.role ?? 'member' });
  const expiresAt = writeMoment(services, overlapMs);
  if (oldKey.expiresAt === undefined || oldKey.expiresAt > expiresAt)
    await updateKey(services, oldKey, { expiresAt });
  return successor;
}

/** Revokes a credential. A second revocation does not change the date. */
export async function revokeKey(services: ManageServices, key: StoredKey): Promise<StoredKey> {
  if (key.revokedAt !== undefined) return key;
  return updateKey(services, key, { revokedAt: writeMoment(services) });
}

/**
 * Revokes an owner key. Returns `undefined` for the last owner key without an end, which stays. Two owner keys
 * may revoke each other at the same time. Then one revocation or both are undone.
 */
export async function revokeOwner(services: ManageServices, key: StoredKey): Promise<StoredKey | undefined> {
  const hasOtherOwner = async () =>
    (await readCurrentKeys(services, key.account)).some(
      ({ keyId, role, revokedAt, expiresAt }) =>
        keyId !== key.keyId && role === 'owner' && !revokedAt && !expiresAt,
    );
  if (key.revokedAt !== undefined) return key;
  if (!(await hasOtherOwner())) return undefined;
  const revokedKey = await revokeKey(services, key);
  if (await hasOtherOwner()) return revokedKey;
  await updateKey(services, key, { revokedAt: null });
  return undefined;
}

/** Sets the plan or name of an account on each of its credentials. Returns the number of its API keys. */
export async function setAccountProfile(
  services: ManageServices,
  account: AccountId,
  profile: Partial<AccountProfile>,
): Promise<number> {
  // A key that is added after a read is found by the next read.
  for (;;) {
    const keys = await readCurrentKeys(services, account);
    const keysToChange = keys.filter((key) => differsFrom(key, profile));
    if (keysToChange.length === 0) return keys.filter(({ publishedAs }) => !publishedAs).length;
    for (const key of keysToChange) await updateKey(services, key, profile);
  }
}

/** Finds a credential by its id. It reads all credentials, because only operators need this. */
export async function findKeyById(services: KeyServices, keyId: string): Promise<StoredKey | undefined> {
  for await (const key of readAllKeys(services)) if (key.keyId === keyId) return key;
  return undefined;
}

/** Updates one credential, and notes the principal and the time. Returns the changed key. */
export async function updateKey(
  services: ManageServices,
  key: StoredKey,
  change: KeyChange,
): Promise<StoredKey> {
  const changedBy = await services.readPrincipal();
  const attributes = { ...change, changedAt: writeMoment(services), changedBy };
  await changeKey(services, getKeyReference(key), attributes);
  const { revokedAt, ...fields } = { ...key, ...attributes };
  return { ...fields, ...(revokedAt && { revokedAt }) };
}

/** Reads the credentials of an account, oldest first. Each is read again, because the list may lag. */
export async function readCurrentKeys(
  services: KeyServices,
  account: AccountId,
): Promise<readonly StoredKey[]> {
  const listedKeys = await readAccountKeys(services, account);
  const keys = await Promise.all(listedKeys.map((key) => findKey(services, getKeyReference(key))));
  return keys.filter((key) => key !== undefined);
}

/** Longest time until a new credential is listed, in milliseconds. Usually it takes less than a second. */
const listingMsMax = 3_000;

/** Awaits that the list of the account shows a new credential. Gives up if the list fails or is late. */
export async function awaitListing(
  services: KeyServices,
  { account, keyId }: Pick<StoredKey, 'account' | 'keyId'>,
): Promise<void> {
  const { clock } = services;
  const pause = createPauses(clock, { firstMs: 50, growth: 1.5, endsMs: clock.nowMs() + listingMsMax });
  const isListed = async () =>
    (await readAccountKeys(services, account)).some((listedKey) => listedKey.keyId === keyId);
  // The credential exists even if the list fails.
  while (!(await isListed().catch(() => true))) if (!(await pause())) return;
}

function writeMoment({ clock }: ManageServices, offsetMs = 0): string {
  return new Date(clock.nowMs() + offsetMs).toISOString();
}

function makeHandle({ ids }: ManageServices, prefix: string): string {
  return `${prefix}_${Buffer.from(ids.makeBytes(9)).toString('hex')}`;
}

function differsFrom(key: StoredKey, profile: Partial<AccountProfile>): boolean {
  return (Object.keys(profile) as (keyof AccountProfile)[]).some((name) => key[name] !== profile[name]);
}

/** Finds plan and name in the newest key, because it was changed last. Keys that are not revoked come first. */
function findProfile(keys: readonly StoredKey[]): AccountProfile | undefined {
  const newestKey = keys.findLast(({ revokedAt }) => revokedAt === undefined) ?? keys.at(-1);
  return newestKey && dropUndefined({ plan: newestKey.plan, accountName: newestKey.accountName });
}
