/** What people read of keys: every fact of one, and many in a table that fits their terminal. */

import { describeKey, keyTable, keyView } from '../../../cli/keys/key-views';
import type { KeyRecord } from '../../../lambda/credentials/api-keys';

const nowMs = Date.UTC(2026, 10, 21, 12);
const view = (change: Partial<Record<keyof KeyRecord, unknown>> = {}) =>
  keyView(
    {
      keyId: 'key_1',
      hash: 'h',
      mode: 'live',
      account: 'acc_1',
      plan: 'pro',
      name: 'web shop',
      createdAt: '2026-11-01T08:00:00.000Z',
      createdBy: 'jane',
      ...change,
    } as KeyRecord,
    nowMs,
  );
const squeezed = (text: string) => text.split('\n').map((line) => line.replaceAll(/ {2,}/g, '|'));

test('one is described by all that is known of it, and by nothing that is not', () => {
  expect(squeezed(describeKey(view(), 'Key id'))).toEqual([
    'Key id|key_1',
    'Name|web shop',
    'Account|acc_1',
    'Plan|pro',
    'Mode|live',
    'State|active',
    'Created|2026-11-01T08:00:00.000Z by jane',
  ]);
  const [expiresAt, revokedAt] = ['2026-11-22T00:00:00.000Z', '2026-11-21T00:00:00.000Z'];
  const origins = ['https://a.example', 'https://b.example'];
  const changed = { changedAt: revokedAt, changedBy: 'john' };
  const all = view({ accountName: 'Acme', origins, maxPerMonth: 5_000, expiresAt, revokedAt, ...changed });
  expect(squeezed(describeKey(all, 'Site key id'))).toEqual([
    'Site key id|key_1',
    'Name|web shop',
    'Account|acc_1',
    'Account name|Acme',
    'Plan|pro',
    'Mode|live',
    'State|revoked',
    'Created|2026-11-01T08:00:00.000Z by jane',
    'Origins|https://a.example, https://b.example',
    'At most|5,000 per month',
    `Ends|${expiresAt}`,
    `Revoked|${revokedAt}`,
    `Changed|${revokedAt} by john`,
  ]);
});

const two = [view({ accountName: 'Acme' }), view({ keyId: 'key_2', account: 'acc_2', plan: 'free' })];

test('many are one table where it fits', () => {
  expect(squeezed(keyTable(two, 90, 'Key id'))).toEqual([
    'KEY ID|ACCOUNT|ACCOUNT NAME|PLAN|MODE|STATE|CREATED|NAME',
    'key_1|acc_1|Acme|pro|live|active|2026-11-01|web shop',
    'key_2|acc_2|free|live|active|2026-11-01|web shop',
  ]);
});

test('in a narrow terminal many are a table for each account', () => {
  expect(squeezed(keyTable(two, 50, 'Key id'))).toEqual([
    'Acme (acc_1), plan pro',
    'KEY ID|MODE|STATE|CREATED|NAME',
    'key_1|live|active|2026-11-01|web shop',
    '',
    'acc_2, plan free',
    'KEY ID|MODE|STATE|CREATED|NAME',
    'key_2|live|active|2026-11-01|web shop',
  ]);
});

test('site keys have their origins and their bound, also beside those without', () => {
  const bound = view({ origins: ['https://a.example', 'https://b.example'], maxPerMonth: 5_000 });
  const [head, first, second] = squeezed(keyTable([bound, view()], 200, 'Site key id'));
  expect(head).toMatch(/\|CREATED\|AT MOST\|ORIGINS\|NAME$/);
  expect(first).toMatch(/\|5,000 per month\|https:\/\/a\.example https:\/\/b\.example\|web shop$/);
  expect(second).toMatch(/\|2026-11-01\|web shop$/);
});
