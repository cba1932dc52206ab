/** What an operator does with API keys, signers and site keys: issue, rotate with an overlap, revoke, set an account's plan and name. */

import type { Clock } from '../base/clock';
import type { PlanName } from '../contract/plans';
import { type AccountId, accountIdOf } from './account-id';
import { hashApiKey, type KeyMode, makeApiKey } from './api-key';
import { type ApiKeyRegister, type KeyChange, type KeyRecord, type KeyRef, refOf } from './api-keys';
import { makeSignerId } from './signer';
import { type AllowedOrigin, makeSiteKey } from './site-key';

interface ManageKeysDeps {
  readonly register: ApiKeyRegister;
  readonly clock: Clock;
  /** Gives `n` unpredictable bytes. */
  readonly randomBytes: (n: number) => Uint8Array;
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

/** The operator's actions on credentials. Each throws when the table does not answer. */
export interface ManageKeys {
  /**
   * Makes a key. On an existing account it takes that account's plan and name, whatever the order says. An account without
   * a signer of the key's kind gets one, with which the service signs the URLs that it returns to the key.
   */
  issue(order: KeyOrder): Promise<IssuedKey>;
  /** Makes a signer. Its secret is derived from its id, and is in no record. */
  issueSigner(order: SignerOrder): Promise<KeyRecord>;
  issueSiteKey(order: SiteKeyOrder): Promise<IssuedKey>;
  /** Makes a successor of a key, which goes on working for `overlapMs`; `undefined` when there is no such key. */
  rotate(keyId: string, overlapMs: number): Promise<IssuedKey | undefined>;
  /** Makes a successor of a signer, as of a key. */
  rotateSigner(signerId: string, overlapMs: number): Promise<KeyRecord | undefined>;
  /** Makes a successor of a site key with its origins and its cap, which counts from zero; `undefined` when there is none. */
  rotateSiteKey(siteKeyId: string, overlapMs: number): Promise<IssuedKey | undefined>;
  /** Ends a key, signer or site key. The date of its first revocation stays. `undefined` when there is no such key. */
  revoke(keyId: string): Promise<KeyRecord | undefined>;
  /** Puts an account on a plan, with its signers and site keys; how many API keys it has. */
  setPlan(account: AccountId, plan: PlanName): Promise<number>;
  /** Names an account, on its signers and site keys too; how many API keys it has. */
  setName(account: AccountId, accountName: string): Promise<number>;
  find(keyId: string): Promise<KeyRecord | undefined>;
  ofAccount(account: AccountId): Promise<readonly KeyRecord[]>;
  all(): AsyncIterable<KeyRecord>;
}

/** Reads all keys to find one by its id, as an operator does rarely. */
export function createManageKeys({
  register,
  clock,
  randomBytes,
  readPrincipal,
}: ManageKeysDeps): ManageKeys {
  const nowIso = (offsetMs = 0) => new Date(clock.nowMs() + offsetMs).toISOString();
  const handle = (prefix: string) => `${prefix}_${Buffer.from(randomBytes(9)).toString('hex')}`;

  const created = async () => ({ createdAt: nowIso(), createdBy: await readPrincipal() });
  const change = async (ref: KeyRef, to: Omit<KeyChange, 'changedAt' | 'changedBy'>): Promise<KeyChange> => {
    const changed = { ...to, changedAt: nowIso(), changedBy: await readPrincipal() };
    await register.change(ref, changed);
    return changed;
  };

  const find = async (keyId: string): Promise<KeyRecord | undefined> => {
    for await (const record of register.all()) if (record.keyId === keyId) return record;
    return undefined;
  };

  /** Adds a record to its account, on the terms of the account's other keys. */
  const add = async (made: KeyRecord, isNewAccount: boolean): Promise<KeyRecord> => {
    const readTerms = async () => (isNewAccount ? undefined : termsBeside(register, made));
    const terms = await readTerms();
    const { accountName: _name, ...withoutName } = made;
    const record = terms ? { ...withoutName, ...terms } : made;
    await register.add(record);
    // Another operator may have changed them between the reading and the adding.
    const termsNow = await readTerms();
    if (!termsNow || !differs(record, termsNow)) return record;
    return { ...record, ...(await change(refOf(record), termsNow)) };
  };

  const issue: ManageKeys['issue'] = async ({ mode, name, maxPerMonth, ...order }) => {
    const key = makeApiKey(mode, randomBytes);
    const made: KeyRecord = {
      keyId: handle('key'),
      hash: hashApiKey(key),
      mode,
      account: order.account ?? accountIdOf(handle('acc')),
      ...termsOf(order),
      name,
      ...(maxPerMonth === undefined ? {} : { maxPerMonth }),
      ...(await created()),
    };
    const isNewAccount = order.account === undefined;
    const record = await add(made, isNewAccount);
    const others = isNewAccount ? [] : await register.ofAccount(record.account);
    // One that was revoked had its reason, and has no successor.
    if (others.some((each) => each.publishedAs === 'signer' && each.mode === mode)) return { key, record };
    return { key, record, signer: await issueSigner(defaultSigner(record)) };
  };

  const issueSigner: ManageKeys['issueSigner'] = async (order) => {
    const keyId = makeSignerId(order.mode, randomBytes);
    return add({ ...order, keyId, publishedAs: 'signer', ...(await created()) }, false);
  };

  const issueSiteKey: ManageKeys['issueSiteKey'] = async (order) => {
    const key = makeSiteKey(order.mode, randomBytes);
    const about = { keyId: handle('site'), hash: hashApiKey(key), publishedAs: 'site' } as const;
    return { key, record: await add({ ...order, ...about, ...(await created()) }, false) };
  };

  /** Ends what has a successor, unless an end that was set before comes sooner. */
  const endAfter = async (old: KeyRecord, overlapMs: number): Promise<void> => {
    const expiresAt = nowIso(overlapMs);
    if (old.expiresAt === undefined || old.expiresAt > expiresAt) await change(refOf(old), { expiresAt });
  };

  const changeAll = async (account: AccountId, terms: Partial<AccountTerms>): Promise<number> => {
    // The list may lag behind the writing, so a key that was changed is not asked for again.
    const changed = new Set<KeyRef>();
    // A key that is added between the reading and the writing shows up in the next reading.
    for (;;) {
      const keys = await register.ofAccount(account);
      const others = keys.filter((key) => differs(key, terms) && !changed.has(refOf(key)));
      if (others.length === 0) return keys.filter(({ publishedAs }) => !publishedAs).length;
      for (const ref of others.map(refOf)) {
        await change(ref, terms);
        changed.add(ref);
      }
    }
  };

  return {
    issue,
    find,
    ofAccount: (account) => register.ofAccount(account),
    all: () => register.all(),

    issueSigner,
    issueSiteKey,

    async rotate(keyId, overlapMs) {
      const old = await find(keyId);
      if (!old) return undefined;
      const { mode, plan, name, account, maxPerMonth } = old;
      const bound = maxPerMonth === undefined ? {} : { maxPerMonth };
      const issued = await issue({ mode, plan, name, account, ...bound });
      await endAfter(old, overlapMs);
      return issued;
    },

    async rotateSigner(signerId, overlapMs) {
      const old = await find(signerId);
      if (!old) return undefined;
      const { mode, plan, name, account } = old;
      const record = await issueSigner({ mode, plan, name, account });
      await endAfter(old, overlapMs);
      return record;
    },

    async rotateSiteKey(siteKeyId, overlapMs) {
      const old = await find(siteKeyId);
      if (!old?.origins || old.maxPerMonth === undefined) return undefined;
      const { mode, plan, name, account, origins, maxPerMonth } = old;
      const issued = await issueSiteKey({ mode, plan, name, account, origins, maxPerMonth });
      await endAfter(old, overlapMs);
      return issued;
    },

    async revoke(keyId) {
      const record = await find(keyId);
      if (!record || record.revokedAt !== undefined) return record;
      return { ...record, ...(await change(refOf(record), { revokedAt: nowIso() })) };
    },

    setPlan: (account, plan) => changeAll(account, { plan }),
    setName: (account, accountName) => changeAll(account, { accountName }),
  };
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
async function termsBeside(register: ApiKeyRegister, own: KeyRecord): Promise<AccountTerms | undefined> {
  const listed = (await register.ofAccount(own.account)).filter(({ keyId }) => keyId !== own.keyId);
  // The list may lag behind; each key by itself is read as it stands now.
  const read = await Promise.all(listed.map((key) => register.find(refOf(key))));
  const others = read.filter((key) => key !== undefined);
  const newest = others.filter(({ revokedAt }) => revokedAt === undefined).at(-1) ?? others.at(-1);
  return newest && termsOf(newest);
}
