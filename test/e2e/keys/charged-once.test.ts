/** What signed URLs and site keys cost over HTTP: one unit for an image and day, within their own limits. */

import type { Signer } from '../../../packages/client/src/client';
import { fixtureOf } from '../../fakes/fixture';
import { header } from '../ask';
import type { Issued } from '../operator';
import { readUntil } from '../read-until';
import { imageHeaders, startOperation, withinOneHour } from './operation';

interface Breakdown {
  readonly byKey: readonly { readonly keyId: string; readonly requests: number; readonly free: number }[];
}

jest.setTimeout(240_000);

const pageImages = 10;
/** A page, and two images more. */
const quota = pageImages + 2;
const operation = fixtureOf(() =>
  startOperation({ PLANS: JSON.stringify({ business: { monthlyRequests: quota } }) }),
);

interface Shop extends Issued {
  readonly signer: Signer;
  readonly signerId: string;
}

/** A new account with a key, which tells what was used, and a signer. */
async function open(plan: string): Promise<Shop> {
  const issued = await operation.keys('create', '--plan', plan, '--name', 'shop');
  return { ...issued, ...(await operation.openSigner(issued.account)) };
}

const from = { Origin: 'https://example.com' };
const openSite = ({ account }: Shop, maxPerMonth: number) =>
  operation.openSite(account, from.Origin, maxPerMonth);

const load = (path: string, headers: Readonly<Record<string, string>> = imageHeaders) =>
  operation.load(path, headers);
const used = async ({ key }: Issued) => Number((await operation.usageOf(key))['used']);
const times = <T>(count: number, work: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => work(i));

test('a page of ten images costs ten units at any traffic, and shows them when the quota is used up', () =>
  withinOneHour(async () => {
    const shop = await open('business');
    const page = await Promise.all(
      times(pageImages, (i) => shop.signer.sign(`/api/image/320x200-page-image-${i}`)),
    );
    const visitors = 6;
    for (let visitor = 0; visitor < visitors; visitor++) {
      const answers = await Promise.all(
        page.map((path) => load(path, { ...imageHeaders, 'User-Agent': `v${visitor}` })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302]));
    }
    expect(await used(shop)).toBe(pageImages);

    for (let i = pageImages; i < quota; i++)
      expect((await load(await shop.signer.sign(`/api/image/320x200-page-image-${i}`))).status).toBe(302);
    const refused = await load(await shop.signer.sign('/api/image/320x200-one-image-more'));
    expect([refused.status, header(refused, 'x-image-fallback'), header(refused, 'content-type')]).toEqual([
      429,
      'quota_exceeded',
      'image/svg+xml; charset=utf-8',
    ]);
    expect(header(refused, 'retry-after')).toMatch(/^\d+$/);
    for (const path of page) expect((await load(path)).status).toBe(302);
    expect(await used(shop)).toBe(quota);

    // Repeats of what is paid are in no break-down.
    const counted = { keyId: shop.signerId, requests: quota, free: 0 };
    const countsNow = async () => {
      const { breakdown } = await operation.keys<{ breakdown: Breakdown }>('usage', shop.account);
      return breakdown.byKey.find(({ keyId }) => keyId === shop.signerId);
    };
    const isCounted = (counts: { readonly requests: number; readonly free: number } | undefined) =>
      counts?.requests === counted.requests && counts.free === counted.free;
    expect(await readUntil(countsNow, isCounted, { withinMs: 10_000, pauseMs: 250 })).toMatchObject(counted);
  }));

test('image loads that name no page spend a tenth of a site key’s cap', () =>
  withinOneHour(async () => {
    const shop = await open('pro');
    const { siteKey } = await openSite(shop, 50);
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++)
      statuses.push((await load(`/api/image/320x200-unproven-${i}?site=${siteKey}`)).status);
    expect(statuses).toEqual([302, 302, 302, 302, 302, 429, 429]);
    const named = await load(`/api/image/320x200-unproven-6?site=${siteKey}`, from);
    expect(named.status).toBe(302);
    expect(await used(shop)).toBe(6);
  }));
