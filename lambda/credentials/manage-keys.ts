/** What an operator, or the owner of an account, does with API keys, signers and site keys: issue, rotate with an overlap, revoke, rename. */

import type { Ids } from '../base/clock';
import type { PlanName } from '../contract/plans';
import { type AccountId, accountIdOf } from './account-id';
import { hashApiKey, type KeyMode, makeApiKey } from './api-key';
import { type KeyChange, type KeyRecord, type KeyRef, refOf } from './api-keys';
import { addKey, allKeys, changeKey, findKey, type KeyServices, keysOf } from './key-store';
import { makeSignerId } from './signer';
import { type AllowedOrigin, makeSiteKey } from './site-key';

/** What managing keys needs of the services of a tool. Every function of it throws when the table does not answer. */
export interface ManageServices extends KeyServices {
  readonly ids: Pick<Ids, 'bytes'>;
  /** Who makes the changes. @throws when that is not known: nothing was changed then */
  readonly readPrincipal: () => Promise<string>;
}

/** A key that was just made. `key` exists nowhere else: it is shown once. */
export interface IssuedKey {
  readonly key: string;
  readonly record: KeyRecord;
  /** The signer that was made with it, as its account had none of its kind. */
  readonly signer?: KeyRecord;
}

interface KeyOrder {
  readonly mode: KeyMode;
  readonly plan: PlanName;
  readonly name: string;
  /** Name of a new account. */
  readonly accountName?: string;
  /** Adds the key to an account; absent for a new one. */
  readonly account?: AccountId;
  /** Units that the key may spend in a month, beside the plan's. */
  readonly maxPerMonth?: number;
  /** Absent: the first live key of an account owns it. */
  readonly role?: 'owner' | 'member';
}

/** A signer or a site key for an account that has a key: its plan and name apply, `plan` only while it has none. */
export interface SignerOrder extends Pick<KeyOrder, 'mode' | 'plan' | 'name' | 'accountName'> {
  readonly account: AccountId;
}

interface SiteKeyOrder extends SignerOrder {
  /** At least one. */
  readonly origins: readonly AllowedOrigin[];
  readonly maxPerMonth: number;
}

/**
 * Makes a key. On an existing account it takes that account's plan and name, whatever the order says. An account without a
 * signer of the key's kind gets one, with which the service signs the URLs that it returns to the key.
 */
export async function issueKey(
  services: ManageServices,
  { mode, name, maxPerMonth, role, ...order }: KeyOrder,
): Promise<IssuedKey> {
  const key = makeApiKey(mode, services.ids.bytes);
  const before = order.account === undefined ? [] : await keysOf(services, order.account);
  const isFirst = !before.some((each) => each.mode === 'live' && !each.publishedAs);
  const owns = mode === 'live' && (role ?? (isFirst ? 'owner' : 'member')) === 'owner';
  const made: KeyRecord = {
    keyId: handle(services, 'key'),
    hash: hashApiKey(key),
    prefix: prefixOf(key),
    ...(owns && { role: 'owner' }),
    mode,
    account: order.account ?? accountIdOf(handle(services, 'acc')),
    ...termsOf(order),
    name,
    ...(maxPerMonth === undefined ? {} : { maxPerMonth }),
    ...(await created(services)),
  };
  const isNewAccount = order.account === undefined;
  const record = await addOnTerms(services, made, isNewAccount);
  // One that was revoked had its reason, and has no successor.
  if (before.some((each) => each.publishedAs === 'signer' && each.mode === mode)) return { key, record };
  return { key, record, signer: await issueSigner(services, defaultSigner(record)) };
}

/** Makes a signer. Its secret is derived from its id, and is in no record. */
export async function issueSigner(services: ManageServices, order: SignerOrder): Promise<KeyRecord> {
  const keyId = makeSignerId(order.mode, services.ids.bytes);
  const made = { ...order, keyId, publishedAs: 'signer', ...(await created(services)) } as const;
  return addOnTerms(services, made, false);
}

/** Makes a site key. */
export async function issueSiteKey(services: ManageServices, order: SiteKeyOrder): Promise<IssuedKey> {
  const key = makeSiteKey(order.mode, services.ids.bytes);
  const about = {
    keyId: handle(services, 'site'),
    hash: hashApiKey(key),
    prefix: prefixOf(key),
    publishedAs: 'site',
    ...(await created(services)),
  } as const;
  return { key, record: await addOnTerms(services, { ...order, ...about }, false) };
}

/** What has just replaced a credential. `key` is absent for a signer, whose secret is derived from its id. */
export type Successor = Pick<IssuedKey, 'record' | 'signer'> & Partial<Pick<IssuedKey, 'key'>>;

/**
 * Makes a successor of a key, signer or site key, which goes on working for `overlapMs`. The cap of a site key counts from
 * zero.
 */
export async function rotateKey(
  services: ManageServices,
  old: KeyRecord,
  overlapMs: number,
): Promise<Successor> {
  const { mode, plan, name, account, publishedAs, role, origins = [], maxPerMonth } = old;
  const order = { mode, plan, name, account };
  let successor: Successor;
  if (publishedAs === 'signer') successor = { record: await issueSigner(services, order) };
  else if (publishedAs === 'site')
    successor = await issueSiteKey(services, { ...order, origins, maxPerMonth: maxPerMonth ?? 0 });
  else
    successor = await issueKey(services, {
      ...order,
      role: role ?? 'member',
      ...(maxPerMonth === undefined ? {} : { maxPerMonth }),
    });
  await endAfter(services, old, overlapMs);
  return successor;
}

/** Ends a key, signer or site key. The date of its first revocation stays. */
export async function revokeKey(services: ManageServices, record: KeyRecord): Promise<KeyRecord> {
  if (record.revokedAt !== undefined) return record;
  return { ...record, ...(await change(services, refOf(record), { revokedAt: isoIn(services) })) };
}

/** Calls a key, signer or site key otherwise. */
export async function renameKey(
  services: ManageServices,
  record: KeyRecord,
  name: string,
): Promise<KeyRecord> {
  return { ...record, ...(await change(services, refOf(record), { name })) };
}

/**
 * Ends an owner key unless it is the last one of its account that has no end: `undefined` then. Of two that end each
 * other at once, the later one is given back.
 */
export async function revokeOwner(
  services: ManageServices,
  record: KeyRecord,
): Promise<KeyRecord | undefined> {
  const hasOtherOwner = async () => {
    const listed = (await keysOf(services, record.account)).filter(
      ({ role, keyId }) => role === 'owner' && keyId !== record.keyId,
    );
    // The list may lag behind; each key by itself is read as it stands now.
    const owners = await Promise.all(listed.map((key) => findKey(services, refOf(key))));
    return owners.some((owner) => owner && owner.revokedAt === undefined && owner.expiresAt === undefined);
  };
  if (record.revokedAt === undefined && !(await hasOtherOwner())) return undefined;
  const revoked = await revokeKey(services, record);
  if (await hasOtherOwner()) return revoked;
  await change(services, refOf(record), { revokedAt: null });
  return undefined;
}

/** Puts an account on a plan, with its signers and site keys; how many API keys it has. */
export function setPlan(services: ManageServices, account: AccountId, plan: PlanName): Promise<number> {
  return changeAll(services, account, { plan });
}

/** Names an account, on its signers and site keys too; how many API keys it has. */
export function setName(services: ManageServices, account: AccountId, accountName: string): Promise<number> {
  return changeAll(services, account, { accountName });
}

/** A key by its public handle. Reads all keys to find it, as an operator does rarely. */
export async function findByKeyId(services: KeyServices, keyId: string): Promise<KeyRecord | undefined> {
  for await (const record of allKeys(services)) if (record.keyId === keyId) return record;
  return undefined;
}

function isoIn({ clock }: Pick<ManageServices, 'clock'>, offsetMs = 0): string {
  return new Date(clock.nowMs() + offsetMs).toISOString();
}

async function created(services: ManageServices): Promise<Pick<KeyRecord, 'createdAt' | 'createdBy'>> {
  return { createdAt: isoIn(services), createdBy: await services.readPrincipal() };
}

/** Changes one key, on which stands who has changed it last. */
async function change<To extends Omit<KeyChange, 'changedAt' | 'changedBy'>>(
  services: ManageServices,
  ref: KeyRef,
  to: To,
): Promise<To & { readonly changedAt: string; readonly changedBy: string }> {
  const changed = { ...to, changedAt: isoIn(services), changedBy: await services.readPrincipal() };
  await changeKey(services, ref, changed);
  return changed;
}

/** The kind and the mode of a key, and four of its 32 random characters. */
function prefixOf(key: string): string {
  return key.slice(0, key.lastIndexOf('_') + 5);
}

function handle({ ids }: Pick<ManageServices, 'ids'>, prefix: string): string {
  return `${prefix}_${Buffer.from(ids.bytes(9)).toString('hex')}`;
}

/** Adds a record to its account, on the terms of the account's other keys. */
async function addOnTerms(
  services: ManageServices,
  made: KeyRecord,
  isNewAccount: boolean,
): Promise<KeyRecord> {
  const readTerms = async () => (isNewAccount ? undefined : termsBeside(services, made));
  const terms = await readTerms();
  const { accountName: _name, ...withoutName } = made;
  const record = terms ? { ...withoutName, ...terms } : made;
  await addKey(services, record);
  // Another operator may have changed them between the reading and the adding.
  const termsNow = await readTerms();
  if (!termsNow || !differs(record, termsNow)) return record;
  return { ...record, ...(await change(services, refOf(record), termsNow)) };
}

/** Ends what has a successor, unless an end that was set before comes sooner. */
async function endAfter(services: ManageServices, old: KeyRecord, overlapMs: number): Promise<void> {
  const expiresAt = isoIn(services, overlapMs);
  if (old.expiresAt === undefined || old.expiresAt > expiresAt)
    await change(services, refOf(old), { expiresAt });
}

async function changeAll(
  services: ManageServices,
  account: AccountId,
  terms: Partial<AccountTerms>,
): Promise<number> {
  // The list may lag behind the writing, so a key that was changed is not asked for again.
  const changed = new Set<KeyRef>();
  // A key that is added between the reading and the writing shows up in the next reading.
  for (;;) {
    const keys = await keysOf(services, account);
    const others = keys.filter((key) => differs(key, terms) && !changed.has(refOf(key)));
    if (others.length === 0) return keys.filter(({ publishedAs }) => !publishedAs).length;
    for (const ref of others.map(refOf)) {
      await change(services, ref, terms);
      changed.add(ref);
    }
  }
}

/** The signer that an account has from its first key of a kind on. */
function defaultSigner({ mode, account, ...terms }: KeyRecord): SignerOrder {
  return { mode, account, ...termsOf(terms), name: 'default' };
}

/** What stands on every key of an account alike. */
type AccountTerms = Pick<KeyRecord, 'plan' | 'accountName'>;

function differs(record: KeyRecord, terms: Partial<AccountTerms>): boolean {
  return (Object.keys(terms) as (keyof AccountTerms)[]).some((name) => record[name] !== terms[name]);
}

function termsOf({ plan, accountName }: AccountTerms): AccountTerms {
  return { plan, ...(accountName === undefined ? {} : { accountName }) };
}

/**
 * The terms on the newest other key of an account that was not revoked, which knows them best; without one, on the newest
 * at all, and `undefined` where there is none.
 */
async function termsBeside(services: KeyServices, own: KeyRecord): Promise<AccountTerms | undefined> {
  const listed = (await keysOf(services, own.account)).filter(({ keyId }) => keyId !== own.keyId);
  // The list may lag behind; each key by itself is read as it stands now.
  const read = await Promise.all(listed.map((key) => findKey(services, refOf(key))));
  const others = read.filter((key) => key !== undefined);
  const newest = others.filter(({ revokedAt }) => revokedAt === undefined).at(-1) ?? others.at(-1);
  return newest && termsOf(newest);
}
