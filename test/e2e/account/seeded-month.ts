/** A business account with a month of usage, written as the image function writes it. */

import { monthWindow } from '../../../lambda/base/window';
import { daysOfMonth, lastMonths } from '../../../lambda/quota/usage/report-usage';
import type { UsageEntry } from '../../../lambda/quota/usage/usage';
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

/** How many of them were charged, and how many were free. */
const sumsOf = (counts: Counts) =>
  counts.reduce(
    (sums, each) => {
      if ('refused' in each) return sums;
      sums[each.isFree ? 'free' : 'used'] += each.requests;
      return sums;
    },
    { used: 0, free: 0 },
  );

export interface SeededMonth extends TestAccount {
  /** What its keys were charged in the month, and what was free. */
  readonly used: number;
  readonly free: number;
  /** On which day of the month one of its keys spent most (`yyyy-mm-dd`), which one, and how much that was. */
  readonly peak: {
    readonly date: string;
    readonly keyId: string;
    readonly name: string;
    readonly requests: number;
  };
}

/** What each of the five keys usually spends on a day; the last one is that of the peak. */
const usually = [4_200, 3_100, 2_400, 1_300, 900];
const peak = 21_000;

/** @param nowMs usage is written for the days of its month up to it, and for eight months before */
export async function seedMonth(accounts: LocalAccounts, nowMs: number): Promise<SeededMonth> {
  const { keys, addUsage } = accounts;
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const days = daysOfMonth(monthWindow(nowMs).label).filter((day) => day <= today);
  const peakDay = days[Math.floor(days.length * 0.6)] ?? today;
  const spent = days.flatMap((day, i) =>
    usually.map((usual, k) => {
      const isPeak = k === usually.length - 1 && day === peakDay;
      const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
      const wave = 1 + 0.25 * Math.sin(i * 1.3 + k * 2);
      return { day, k, counts: countsOf(isPeak ? peak : Math.round(usual * wave * (isWeekend ? 0.55 : 1))) };
    }),
  );
  const { used, free } = sumsOf(spent.flatMap(({ counts }) => counts));
  const opened = await accounts.open('business', used);
  const { account } = opened;
  await keys.setTerms(account, { accountName: 'Harbor Hotels' });
  const order = { account, plan: 'business', mode: 'live' } as const;
  const [first] = await keys.keysOf(account);
  const app = (await keys.issueKey({ ...order, name: 'Mobile app, "iOS"' })).record;
  const batch = (await keys.issueKey({ ...order, name: 'Nightly import' })).record;
  const signer = (await keys.issueKey({ ...order, name: 'Magazine', publishedAs: 'signer' })).record;
  const site = await keys.issueKey({
    ...order,
    publishedAs: 'site',
    name: '@harbor-hotels',
    origins: [allowedOrigin('https://harbor-hotels.example')],
    maxPerMonth: 50_000,
  });
  const ids = [first?.keyId ?? '', app.keyId, signer.keyId, site.record.keyId, batch.keyId];
  for (const { day, k, counts } of spent) await addUsage({ account, keyId: ids[k] ?? '', day, counts });
  for (const [i, month] of lastMonths(nowMs, 9).slice(0, -1).entries())
    await addUsage({
      account,
      keyId: app.keyId,
      day: `${month}-15`,
      counts: countsOf(120_000 + 31_000 * i),
    });
  const { used: requests } = sumsOf(countsOf(peak));
  return {
    ...opened,
    used,
    free,
    peak: { date: peakDay, keyId: batch.keyId, name: 'Nightly import', requests },
  };
}
