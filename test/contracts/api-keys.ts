/** The contract of every register of API keys, signers and site keys. */

import { randomBytes } from 'node:crypto';
import type { KeyHash } from '../../lambda/credentials/api-key';
import { type ApiKeyRegister, DuplicateKey, type KeyRecord, refOf } from '../../lambda/credentials/api-keys';
import { makeSignerId } from '../../lambda/credentials/signer';
import { accountId, allowedOrigin, keyHash } from '../fakes/branded';

export interface RegisterUnderTest {
  readonly register: ApiKeyRegister;
  stop?(): Promise<void>;
}

type HashedRecord = KeyRecord & { readonly hash: KeyHash };

/** A new, unique record of an API key. */
export function newRecord(change: Partial<HashedRecord> = {}): HashedRecord {
  return {
    keyId: `key_${randomBytes(6).toString('hex')}`,
    hash: keyHash(randomBytes(32).toString('hex')),
    mode: 'live',
    account: accountId(`acc_${randomBytes(6).toString('hex')}`),
    plan: 'free',
    name: 'Ærø “shop” 🌊',
    createdAt: '2026-11-21T12:00:00.000Z',
    ...change,
  };
}

/** A new, unique record of a signer. */
export function newSigner(change: Partial<KeyRecord> = {}): KeyRecord {
  const { hash: _hash, ...record } = newRecord();
  return { ...record, keyId: makeSignerId('live', randomBytes), publishedAs: 'signer', ...change };
}

/** A new, unique record of a site key. */
export function newSiteKey(change: Partial<HashedRecord> = {}): HashedRecord {
  return newRecord({
    publishedAs: 'site',
    origins: [allowedOrigin('https://example.com'), allowedOrigin('https://*.example.com')],
    maxPerMonth: 500,
    ...change,
  });
}

export function describeApiKeys(name: string, start: () => Promise<RegisterUnderTest>): void {
  describe(`the register of API keys: ${name}`, () => {
    let subject: RegisterUnderTest;
    let register: ApiKeyRegister;

    beforeAll(async () => {
      subject = await start();
      register = subject.register;
    });
    afterAll(() => subject?.stop?.());

    it('finds nothing under a hash that was never added', async () => {
      expect(await register.find(newRecord().hash)).toBeUndefined();
    });

    it('finds exactly what was added', async () => {
      const record = newRecord();
      await register.add(record);
      expect(await register.find(record.hash)).toEqual(record);
    });

    it('keeps the name of the account, changes it, and reads records that are older than names', async () => {
      const record = newRecord({ accountName: 'Zoë & Co' });
      const older = newRecord({ account: record.account, createdAt: '2026-11-20T12:00:00.000Z' });
      for (const each of [record, older]) await register.add(each);
      expect(await register.ofAccount(record.account)).toEqual([older, record]);
      expect(await register.change(older.hash, { accountName: 'Acme' })).toBe(true);
      expect(await register.find(older.hash)).toEqual({ ...older, accountName: 'Acme' });
    });

    it('keeps dates that are there', async () => {
      const record = newRecord({
        expiresAt: '2027-01-01T00:00:00.000Z',
        revokedAt: '2026-12-01T00:00:00.000Z',
      });
      await register.add(record);
      expect(await register.find(record.hash)).toEqual(record);
    });

    it('takes the same record twice, so that a lost answer can be repeated', async () => {
      const record = newRecord();
      await register.add(record);
      await register.add(record);
      expect(await register.ofAccount(record.account)).toEqual([record]);
    });

    it('refuses another key with the same hash, and keeps the first unchanged', async () => {
      const record = newRecord();
      await register.add(record);
      await expect(register.add({ ...newRecord(), hash: record.hash })).rejects.toThrow(DuplicateKey);
      expect(await register.find(record.hash)).toEqual(record);
    });

    it('accepts exactly one of many concurrent additions of a hash', async () => {
      const { hash } = newRecord();
      const adding = Array.from({ length: 20 }, () => register.add(newRecord({ hash })));
      const done = await Promise.allSettled(adding);
      expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('changes the named attributes only', async () => {
      const record = newRecord();
      await register.add(record);
      expect(await register.change(record.hash, { plan: 'pro' })).toBe(true);
      expect(await register.change(record.hash, { expiresAt: '2027-01-01T00:00:00.000Z' })).toBe(true);
      const revokedAt = '2026-12-01T00:00:00.000Z';
      expect(await register.change(record.hash, { revokedAt, plan: 'business' })).toBe(true);
      const expected = { ...record, plan: 'business', expiresAt: '2027-01-01T00:00:00.000Z', revokedAt };
      expect(await register.find(record.hash)).toEqual(expected);
    });

    it('does not bring a key into being by changing it', async () => {
      const { hash } = newRecord();
      expect(await register.change(hash, { plan: 'pro' })).toBe(false);
      expect(await register.find(hash)).toBeUndefined();
    });

    it('lists the keys of an account, oldest first, and of no other', async () => {
      const { account } = newRecord();
      const days = ['03', '01', '02'].map((day) =>
        newRecord({ account, createdAt: `2026-11-${day}T00:00:00.000Z` }),
      );
      for (const record of [...days, newRecord()]) await register.add(record);
      const listed = await register.ofAccount(account);
      expect(listed).toEqual([days[1], days[2], days[0]]);
      expect(await register.ofAccount(accountId('acc_none'))).toEqual([]);
    });

    it.each([
      ['a signer', newSigner],
      ['a site key', newSiteKey],
      ['an API key with a bound of its own', () => newRecord({ maxPerMonth: 1 })],
    ])('keeps %s as a key of its account: added, found, listed, changed', async (_, make) => {
      const record: KeyRecord = make();
      await register.add(record);
      await register.add(record);
      expect(await register.find(refOf(record))).toEqual(record);
      expect(await register.ofAccount(record.account)).toEqual([record]);
      const revokedAt = '2026-12-01T00:00:00.000Z';
      expect(await register.change(refOf(record), { plan: 'pro', revokedAt })).toBe(true);
      expect(await register.find(refOf(record))).toEqual({ ...record, plan: 'pro', revokedAt });
    });

    it('finds nothing under the id of a signer that was never made, and makes none by changing it', async () => {
      const ref = refOf(newSigner());
      expect(await register.find(ref)).toBeUndefined();
      expect(await register.change(ref, { plan: 'pro' })).toBe(false);
      expect(await register.find(ref)).toBeUndefined();
    });

    it('lists all keys of all accounts, each once', async () => {
      const added = Array.from({ length: 30 }, () => newRecord());
      await Promise.all(added.map((record) => register.add(record)));
      const listed: string[] = [];
      for await (const { keyId } of register.all()) listed.push(keyId);
      expect(new Set(listed).size).toBe(listed.length);
      expect(listed).toEqual(expect.arrayContaining(added.map(({ keyId }) => keyId)));
    });
  });
}
