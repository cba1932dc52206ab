/** A business account with a month of usage, written as the image function writes it. */

import { systemIds } from '../../../lambda/base/system';
import { monthWindow } from '../../../lambda/base/window';
import { daysOfMonth, lastMonths, type UsageEntry } from '../../../lambda/quota/usage/usage';
import { allowedOrigin } from '../../fakes/branded';
import type { LocalAccounts, TestAccount } from '../local-account';

/** Requests of one key on one day. */
type Counts = UsageEntry['counts'];

const countsOf = (requests: number): Counts => {
  const part = (share: number) => Math.round(requests * share);
  return [
    { source: 'stock_a', cache: 'HIT', requests: part(0.55) },
    { source: 'stock_b', cache: 'HIT', requests: part(0.2) },
    { source: 'stock_c', cache: 'MISS', requests: part(0.05) },
    { source: 'ai', cache: 'MISS', requests: part(0.08) },
    { source: 'stock_a', cache: 'HIT', isFree: true, requests: part(0.12) },
    { refused: 'rate_limited', requests: part(0.004) },
    { refused: 'no_image_found', requests: part(0.002) },
    { refused: 'invalid_parameter', requests: 1 },
  ];
};

export interface SeededMonth extends TestAccount {
  /** On which day of the month one of its keys spent most (`yyyy-mm-dd`), which one, and how much that was. */
  readonly peak: {
    readonly date: string;
    readonly keyId: string;
    readonly name: string;
    readonly requests: number;
  };
}

/** @param nowMs usage is written for the days of its month up to it, and for eight months before */
export async function seedMonth(accounts: LocalAccounts, nowMs: number): Promise<SeededMonth> {
  const { keys, usage } = accounts;
  const opened = await accounts.open('business', 412_300);
  const { account } = opened;
  await keys.setName(account, 'Harbor Hotels');
  const order = { account, plan: 'business', mode: 'live' } as const;
  const [first] = await keys.ofAccount(account);
  const app = (await keys.issue({ ...order, name: 'Mobile app, "iOS"' })).record;
  const batch = (await keys.issue({ ...order, name: 'Nightly import' })).record;
  const signer = await keys.issueSigner({ ...order, name: 'Magazine' });
  const site = await keys.issueSiteKey({
    ...order,
    name: '@harbor-hotels',
    origins: [allowedOrigin('https://harbor-hotels.example')],
    maxPerMonth: 50_000,
  });
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const label = monthWindow(nowMs).label;
  const days = daysOfMonth(label).filter((day) => day <= today);
  const peakDay = days[Math.floor(days.length * 0.6)] ?? today;
  const spenders = [
    [first?.keyId ?? '', 4_200],
    [app.keyId, 3_100],
    [signer.keyId, 2_400],
    [site.record.keyId, 1_300],
    [batch.keyId, 900],
  ] as const;
  const peak = 21_000;
  const record = (keyId: string, day: string, requests: number) =>
    usage.record({ account, keyId, day, counts: countsOf(requests) });
  for (const [i, day] of days.entries()) {
    const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
    for (const [k, [keyId, usual]] of spenders.entries()) {
      const wave = 1 + 0.25 * Math.sin(i * 1.3 + k * 2);
      const isPeak = keyId === batch.keyId && day === peakDay;
      await record(keyId, day, isPeak ? peak : Math.round(usual * wave * (isWeekend ? 0.55 : 1)));
    }
  }
  for (const [i, month] of lastMonths(nowMs, 9).slice(0, -1).entries())
    await record(app.keyId, `${month}-15`, 120_000 + 31_000 * i);
  await usage.markAnnounced(account, label, 80, systemIds.ulid(nowMs - 3_600_000));
  await keys.revoke((await keys.issue({ ...order, name: 'Old website' })).record.keyId);
  const requests = countsOf(peak).reduce((sum, each) => sum + ('refused' in each ? 0 : each.requests), 0);
  return { ...opened, peak: { date: peakDay, keyId: batch.keyId, name: 'Nightly import', requests } };
}
