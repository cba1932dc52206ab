/** What an operator does with API keys: issue, rotate with an overlap, revoke, set the plan and the name of an account. */

import type { PlanName } from '../../contract/plans';
import { type AccountId, accountIdOf } from '../../domain/caller/account-id';
import { hashApiKey, type KeyHash, type KeyMode, makeApiKey } from '../../domain/caller/api-key';
import type { ApiKeyRegister, KeyRecord } from '../../ports/api-keys';
import type { Clock } from '../../ports/clock';

export interface ManageKeysDeps {
  readonly register: ApiKeyRegister;
  readonly clock: Clock;
  /** Gives `n` unpredictable bytes. */
  readonly randomBytes: (n: number) => Uint8Array;
}

/** A key that was just made. `key` exists nowhere else: it is shown once. */
export interface IssuedKey {
  readonly key: string;
  readonly record: KeyRecord;
}

export interface KeyOrder {
  readonly mode: KeyMode;
  readonly plan: PlanName;
  readonly name: string;
  /** Name of a new account. */
  readonly accountName?: string;
  /** Adds the key to an account; absent for a new one. */
  readonly account?: AccountId;
}

export interface ManageKeys {
  /** Makes a key. On an existing account it takes that account's plan and name, whatever the order says. */
  issue(order: KeyOrder): Promise<IssuedKey>;
  /** Makes a successor of a key, which goes on working for `overlapMs`; `undefined` when there is no such key. */
  rotate(keyId: string, overlapMs: number): Promise<IssuedKey | undefined>;
  /** Ends a key. The date of its first revocation stays. `undefined` when there is no such key. */
  revoke(keyId: string): Promise<KeyRecord | undefined>;
  /** Puts all keys of an account on a plan; how many there are. */
  setPlan(account: AccountId, plan: PlanName): Promise<number>;
  /** Names an account on all its keys; how many there are. */
  setName(account: AccountId, accountName: string): Promise<number>;
  find(keyId: string): Promise<KeyRecord | undefined>;
  ofAccount(account: AccountId): Promise<readonly KeyRecord[]>;
  all(): AsyncIterable<KeyRecord>;
}

export function createManageKeys({ register, clock, randomBytes }: ManageKeysDeps): ManageKeys {
  const nowIso = (offsetMs = 0) => new Date(clock.nowMs() + offsetMs).toISOString();
  const handle = (prefix: string) => `${prefix}_${Buffer.from(randomBytes(9)).toString('hex')}`;

  const find = async (keyId: string): Promise<KeyRecord | undefined> => {
    for await (const record of register.all()) if (record.keyId === keyId) return record;
    return undefined;
  };

  const issue: ManageKeys['issue'] = async ({ mode, name, ...order }) => {
    const account = order.account ?? accountIdOf(handle('acc'));
    const known = order.account && termsOn(await register.ofAccount(order.account));
    const key = makeApiKey(mode, randomBytes);
    const record: KeyRecord = {
      keyId: handle('key'),
      hash: hashApiKey(key),
      mode,
      account,
      ...(known ?? termsOf(order)),
      name,
      createdAt: nowIso(),
    };
    await register.add(record);
    // Another operator may have changed them between the reading and the adding.
    const termsNow = order.account ? await termsOfOthers(register, record) : undefined;
    if (!termsNow || !differs(record, termsNow)) return { key, record };
    await register.change(record.hash, termsNow);
    return { key, record: { ...record, ...termsNow } };
  };

  const changeAll = async (account: AccountId, change: Partial<AccountTerms>): Promise<number> => {
    // The list may lag behind the writing, so a key that was changed is not asked for again.
    const changed = new Set<KeyHash>();
    // A key that is added between the reading and the writing shows up in the next reading.
    for (;;) {
      const keys = await register.ofAccount(account);
      const others = keys.filter((key) => differs(key, change) && !changed.has(key.hash));
      if (others.length === 0) return keys.length;
      for (const { hash } of others) {
        await register.change(hash, change);
        changed.add(hash);
      }
    }
  };

  return {
    issue,
    find,
    ofAccount: (account) => register.ofAccount(account),
    all: () => register.all(),

    async rotate(keyId, overlapMs) {
      const old = await find(keyId);
      if (!old) return undefined;
      const issued = await issue({ mode: old.mode, plan: old.plan, name: old.name, account: old.account });
      const endsAt = nowIso(overlapMs);
      // An end that was set before and comes sooner stays.
      if (old.expiresAt === undefined || old.expiresAt > endsAt)
        await register.change(old.hash, { expiresAt: endsAt });
      return issued;
    },

    async revoke(keyId) {
      const record = await find(keyId);
      if (!record || record.revokedAt !== undefined) return record;
      const revokedAt = nowIso();
      await register.change(record.hash, { revokedAt });
      return { ...record, revokedAt };
    },

    setPlan: (account, plan) => changeAll(account, { plan }),
    setName: (account, accountName) => changeAll(account, { accountName }),
  };
}

/** What stands on every key of an account alike. */
type AccountTerms = Pick<KeyRecord, 'plan' | 'accountName'>;

function differs(record: KeyRecord, terms: Partial<AccountTerms>): boolean {
  return (Object.keys(terms) as (keyof AccountTerms)[]).some((name) => record[name] !== terms[name]);
}

/** The terms on the newest key that can still be used, which knows them best; without one, on the newest at all. */
function termsOn(keys: readonly KeyRecord[]): AccountTerms | undefined {
  const newest = keys.filter(({ revokedAt }) => revokedAt === undefined).at(-1) ?? keys.at(-1);
  return newest && termsOf(newest);
}

function termsOf({ plan, accountName }: AccountTerms): AccountTerms {
  return { plan, ...(accountName === undefined ? {} : { accountName }) };
}

/** The terms on the account's other usable keys, or `undefined` where there are none. */
async function termsOfOthers(register: ApiKeyRegister, own: KeyRecord): Promise<AccountTerms | undefined> {
  const listed = await register.ofAccount(own.account);
  // The list may lag behind; each key by itself is read as it stands now.
  const keys = await Promise.all(listed.map(({ hash }) => register.find(hash)));
  const other = keys.filter((key) => key && key.keyId !== own.keyId && key.revokedAt === undefined).at(-1);
  return other && termsOf(other);
}
