/** What an account reads about itself: its credentials of the kind of its key, and when its thresholds were reached. */

import { ulidOf } from '../../../lambda/base/ulid';
import { defaultPlans } from '../../../lambda/contract/plans';
import type { KeyRecord } from '../../../lambda/credentials/api-keys';
import type { KeyedCaller } from '../../../lambda/credentials/caller';
import { createReportAccount } from '../../../lambda/quota/usage/report-account';
import { accountSchema } from '../../../lambda/quota/usage/usage-schema';
import { createFakeApiKeys } from '../../fakes/api-keys';
import { accountId, allowedOrigin, keyHash } from '../../fakes/branded';
import { createFakeUsageLedger } from '../../fakes/usage-store';

const nowMs = Date.UTC(2026, 10, 21, 12, 30);
const account = accountId('acc_1');
const caller: KeyedCaller = { kind: 'live', account, plan: 'pro', keyId: 'key_1' };
const record = (keyId: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  keyId,
  hash: keyHash(`hash of ${keyId}`),
  mode: 'live',
  account,
  plan: 'pro',
  name: `name of ${keyId}`,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...more,
});

function stage(records: readonly KeyRecord[] = []) {
  const history = createFakeUsageLedger();
  const apiKeys = createFakeApiKeys(records);
  return { history, report: createReportAccount({ history, apiKeys, plans: defaultPlans }) };
}

test('names keys, signers and site keys with their bounds and ends, and never a hash', async () => {
  const { report } = stage([
    record('key_1', { expiresAt: '2026-03-01T00:00:00.000Z', revokedAt: '2026-02-01T00:00:00.000Z' }),
    record('sg_live_1', { publishedAs: 'signer', expiresAt: '2027-01-01T00:00:00.000Z' }),
    record('site_1', {
      publishedAs: 'site',
      maxPerMonth: 500,
      origins: [allowedOrigin('https://example.com')],
    }),
    record('key_test', { mode: 'test' }),
  ]);
  const document = await report(caller, nowMs);
  const about = { createdAt: '2026-01-01T00:00:00.000Z' };
  expect(document.credentials).toEqual([
    {
      id: 'key_1',
      kind: 'key',
      name: 'name of key_1',
      ...about,
      expiresAt: '2026-03-01T00:00:00.000Z',
      revokedAt: '2026-02-01T00:00:00.000Z',
    },
    {
      id: 'sg_live_1',
      kind: 'signer',
      name: 'name of sg_live_1',
      ...about,
      expiresAt: '2027-01-01T00:00:00.000Z',
    },
    {
      id: 'site_1',
      kind: 'site',
      name: 'name of site_1',
      ...about,
      maxPerMonth: 500,
      origins: ['https://example.com'],
    },
  ]);
  expect(JSON.stringify(document)).not.toContain('hash');
  expect(accountSchema.safeParse({ ...document, pages: [] }).success).toBe(true);
});

test('shows a test key the test credentials alone, and no threshold', async () => {
  const { report, history } = stage([record('key_1'), record('key_test', { mode: 'test' })]);
  const { credentials, thresholds } = await report({ ...caller, kind: 'test' }, nowMs);
  expect(credentials.map(({ id }) => id)).toEqual(['key_test']);
  expect([thresholds, history.calls]).toEqual([[], []]);
});

test('says with how many requests a threshold is reached, and when that was announced', async () => {
  const { report, history } = stage();
  await history.markAnnounced(account, '2026-11', 80, ulidOf(Date.UTC(2026, 10, 9, 8), new Uint8Array(10)));
  expect((await report(caller, nowMs)).thresholds).toEqual([
    { percent: 80, requests: 40_000, reachedAt: '2026-11-09T08:00:00Z' },
    { percent: 100, requests: 50_000 },
  ]);
  expect((await report({ ...caller, plan: 'enterprise' }, nowMs)).thresholds).toEqual([]);
});
