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
  readonly accountName?: string | undefined;
  /** Adds the key to an account, whose plan and name apply whatever the order says; absent for a new one. */
  readonly account?: AccountId;
  /** Units that the key may spend in a month, beside the plan's. */
  readonly maxPerMonth?: number | undefined;
  /** Absent: the first live key of an account owns it. */
  readonly role?: 'owner' | 'member';
}

/** A signer or a site key for an account that has a key. */
interface PublishedOrder extends Pick<KeyOrder, 'mode' | 'plan' | 'name' | 'accountName'> {
  readonly account: AccountId;
}

interface SiteKeyOrder extends PublishedOrder {
  /** At least one. */
  readonly origins: readonly AllowedOrigin[];
  readonly maxPerMonth: number;
}

/**
 * Makes a key. An account without a signer of the key's kind gets one, with which the service signs the URLs that it
 * returns to the key; one that was revoked had its reason, and has no successor.
 */
export async function issueKey(services: ManageServices, order: KeyOrder): Promise<IssuedKey> {
  const { mode, role, account = accountIdOf(handle(services, 'acc')) } = order;
  const key = makeApiKey(mode, services.ids.bytes);
  const before = order.account === undefined ? [] : await keysOf(services, account);
  const isFirst = !before.some((each) => each.mode === 'live' && !each.publishedAs);
  const owns = mode === 'live' && (role ?? (isFirst ? 'owner' : 'member')) === 'owner';
  const record = await add(services, order.account === undefined, {
    ...{ ...order, account, role: owns ? 'owner' : undefined },
    ...secretParts(services, 'key', key),
  });
  if (before.some((each) => each.publishedAs === 'signer' && each.mode === mode)) return { key, record };
  const { plan, accountName } = record;
  const signer = await issueSigner(services, { mode, account, plan, accountName, name: 'default' });
  return { key, record, signer };
}

/** Makes a signer. Its secret is derived from its id, and is in no record. */
export function issueSigner(services: ManageServices, order: PublishedOrder): Promise<KeyRecord> {
  const keyId = makeSignerId(order.mode, services.ids.bytes);
  return add(services, false, { ...order, keyId, publishedAs: 'signer' });
}

/** Makes a site key. */
export async function issueSiteKey(services: ManageServices, order: SiteKeyOrder): Promise<IssuedKey> {
  const key = makeSiteKey(order.mode, services.ids.bytes);
  const parts = secretParts(services, 'site', key);
  return { key, record: await add(services, false, { ...order, ...parts, publishedAs: 'site' }) };
}

/** What has just replaced a credential. `key` is absent for a signer, whose secret is derived from its id. */
export type Successor = Pick<IssuedKey, 'record' | 'signer'> & Partial<Pick<IssuedKey, 'key'>>;

/**
 * Makes a successor of a key, signer or site key, which goes on working for `overlapMs`, or until an end that was set
 * before and comes sooner. The cap of a site key counts from zero.
 */
export async function rotateKey(
  services: ManageServices,
  old: KeyRecord,
  overlapMs: number,
): Promise<Successor> {
  const { mode, plan, name, account, publishedAs, role = 'member', origins = [], maxPerMonth } = old;
  const order = { mode, plan, name, account };
  const successor: Successor =
    publishedAs === 'signer'
      ? { record: await issueSigner(services, order) }
      : publishedAs === 'site'
        ? await issueSiteKey(services, { ...order, origins, maxPerMonth: maxPerMonth ?? 0 })
        : await issueKey(services, { ...order, role, maxPerMonth });
  const expiresAt = isoIn(services, overlapMs);
  if (old.expiresAt === undefined || old.expiresAt > expiresAt) await change(services, old, { expiresAt });
  return successor;
}

/** Ends a key, signer or site key. The date of its first revocation stays. */
export async function revokeKey(services: ManageServices, record: KeyRecord): Promise<KeyRecord> {
  if (record.revokedAt !== undefined) return record;
  return { ...record, ...(await change(services, record, { revokedAt: isoIn(services) })) };
}

/** Calls a key, signer or site key otherwise. */
export async function renameKey(
  services: ManageServices,
  record: KeyRecord,
  name: string,
): Promise<KeyRecord> {
  return { ...record, ...(await change(services, record, { name })) };
}

/**
 * Ends an owner key unless it is the last one of its account that has no end: `undefined` then. Of two that end each
 * other at once, the later one is given back.
 */
export async function revokeOwner(
  services: ManageServices,
  record: KeyRecord,
): Promise<KeyRecord | undefined> {
  const hasOtherOwner = async () =>
    (await othersOf(services, record, ({ role }) => role === 'owner')).some(
      ({ revokedAt, expiresAt }) => revokedAt === undefined && expiresAt === undefined,
    );
  if (record.revokedAt === undefined && !(await hasOtherOwner())) return undefined;
  const revoked = await revokeKey(services, record);
  if (await hasOtherOwner()) return revoked;
  await change(services, record, { revokedAt: null });
  return undefined;
}

/** What stands on every key of an account alike. */
type AccountTerms = Pick<KeyRecord, 'plan' | 'accountName'>;

/** Puts an account on a plan, or names it, on its signers and site keys too; how many API keys it has. */
export async function setTerms(
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
    for (const key of others) {
      await change(services, key, terms);
      changed.add(refOf(key));
    }
  }
}

/** A key by its public handle. Reads all keys to find it, as an operator does rarely. */
export async function findByKeyId(services: KeyServices, keyId: string): Promise<KeyRecord | undefined> {
  for await (const record of allKeys(services)) if (record.keyId === keyId) return record;
  return undefined;
}

function isoIn({ clock }: Pick<ManageServices, 'clock'>, offsetMs = 0): string {
  return new Date(clock.nowMs() + offsetMs).toISOString();
}

function handle({ ids }: Pick<ManageServices, 'ids'>, prefix: string): string {
  return `${prefix}_${Buffer.from(ids.bytes(9)).toString('hex')}`;
}

/** What of a key or site key is kept: its handle, its hash, its kind and mode with four of its random characters. */
function secretParts(services: ManageServices, kind: string, key: string) {
  const prefix = key.slice(0, key.lastIndexOf('_') + 5);
  return { keyId: handle(services, kind), hash: hashApiKey(key), prefix };
}

/** Changes one key, on which stands who has changed it last. */
async function change<To extends Omit<KeyChange, 'changedAt' | 'changedBy'>>(
  services: ManageServices,
  record: KeyRecord,
  to: To,
): Promise<To & { readonly changedAt: string; readonly changedBy: string }> {
  const changed = { ...to, changedAt: isoIn(services), changedBy: await services.readPrincipal() };
  await changeKey(services, refOf(record), changed);
  return changed;
}

/** Fields of a record, of which those that are `undefined` are left out. */
type MadeKey = { readonly [N in keyof KeyRecord]?: KeyRecord[N] | undefined } & Pick<
  KeyRecord,
  'keyId' | 'mode' | 'account' | 'plan' | 'name'
>;

/** Adds a record to its account, on the terms of the account's other keys. */
async function add(services: ManageServices, isNewAccount: boolean, made: MadeKey): Promise<KeyRecord> {
  const readTerms = async () => (isNewAccount ? undefined : termsBeside(services, made));
  const terms = await readTerms();
  const record = {
    ...stated({ ...made, ...(terms && { accountName: undefined, ...terms }) }),
    createdAt: isoIn(services),
    createdBy: await services.readPrincipal(),
  } as KeyRecord;
  await addKey(services, record);
  // Another operator may have changed them between the reading and the adding.
  const termsNow = await readTerms();
  if (!termsNow || !differs(record, termsNow)) return record;
  return { ...record, ...(await change(services, record, termsNow)) };
}

function stated<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

function differs(record: KeyRecord, terms: Partial<AccountTerms>): boolean {
  return (Object.keys(terms) as (keyof AccountTerms)[]).some((name) => record[name] !== terms[name]);
}

/**
 * The other keys of an account: the list may lag behind, so each is read by itself as it stands now.
 * @param isWanted by what never changes of a key
 */
async function othersOf(
  services: KeyServices,
  { account, keyId }: Pick<KeyRecord, 'account' | 'keyId'>,
  isWanted: (key: KeyRecord) => boolean = () => true,
): Promise<readonly KeyRecord[]> {
  const listed = (await keysOf(services, account)).filter((key) => key.keyId !== keyId && isWanted(key));
  const read = await Promise.all(listed.map((key) => findKey(services, refOf(key))));
  return read.filter((key) => key !== undefined);
}

/**
 * The terms on the newest other key of an account that was not revoked, which knows them best; without one, on the newest
 * at all, and `undefined` where there is none.
 */
async function termsBeside(
  services: KeyServices,
  own: Pick<KeyRecord, 'account' | 'keyId'>,
): Promise<AccountTerms | undefined> {
  const others = await othersOf(services, own);
  const newest = others.filter(({ revokedAt }) => revokedAt === undefined).at(-1) ?? others.at(-1);
  return newest && stated({ plan: newest.plan, accountName: newest.accountName } as AccountTerms);
}
