/** The limits beside the quota: whose they are, how high, and in which window. */

import { defaultPlans } from '../../lambda/contract/plans';
import type { Caller, KeyedCaller } from '../../lambda/credentials/caller';
import { type Client, clientOf } from '../../lambda/credentials/client-ip';
import {
  dailyGenerations,
  freeDeliveriesOf,
  freeRenditionsOf,
  generationShareOf,
  monthlyGenerationsOf,
  paidImageRenditionsOf,
  refusedPromptsOf,
  shareOf,
  usageReportsOf,
} from '../../lambda/quota/fair-use';
import { counterKey, isSet, type Limit, rateLimitStatusOf } from '../../lambda/quota/quota';
import { limitsOf, renditionId } from '../../lambda/quota/request-context';
import { accountId } from '../fakes/branded';

const noon = Date.parse('2026-11-21T12:10:00Z');
const account: KeyedCaller = { kind: 'live', account: accountId('acc_1'), plan: 'free', keyId: 'key_1' };
const pro: KeyedCaller = { ...account, plan: 'pro' };
const test_: KeyedCaller = { ...pro, kind: 'test' };
const site: KeyedCaller = { ...account, keyId: 'st_1', publishedAs: 'site', maxPerMonth: 1_000 };
const signer: KeyedCaller = { ...account, keyId: 'sg_1', publishedAs: 'signer' };
const anonymous: Caller = { kind: 'anonymous' };
const visitor: Client = { ipHash: 'visitor' };

/** Counter and window of each limit, and how many units it has. */
const named = (...limits: readonly (Limit | undefined)[]) =>
  limits.map((limit) => limit && `${counterKey(limit)} ${limit.limit}`);
const freeDeliveries = freeDeliveriesOf(account, visitor, defaultPlans, noon);
const limits = (caller: Caller, client: Client = visitor) => limitsOf(caller, client, defaultPlans, noon);

interface Row {
  readonly of: string;
  readonly caller: Caller;
  readonly searches: readonly string[];
  readonly free?: string;
  readonly renditions?: readonly string[];
  readonly credential?: readonly string[];
}

const hour = '2026-11-21T12';
test.each<Row>([
  {
    of: 'a caller without a key',
    caller: anonymous,
    searches: [`F#searches#ip#visitor#${hour} 10`],
    renditions: [`F#anonymous-renditions#all#${hour} 3000`],
  },
  {
    of: 'a live key on free',
    caller: account,
    searches: [`F#searches#live#acc_1#${hour} 100`],
    free: `F#free-deliveries#live#acc_1#${hour} 600`,
  },
  {
    of: 'a live key on pro',
    caller: pro,
    searches: [`F#searches#live#acc_1#${hour} 1000`],
    free: `F#free-deliveries#live#acc_1#${hour} 3000`,
  },
  {
    of: 'a test key on pro',
    caller: test_,
    searches: [`F#searches#test#acc_1#${hour} 100`],
    free: `F#free-deliveries#test#acc_1#${hour} 100`,
  },
  {
    of: 'an API key with a limit of its own',
    caller: { ...pro, maxPerMonth: 7 },
    searches: [`F#searches#live#acc_1#${hour} 1000`],
    free: `F#free-deliveries#live#acc_1#${hour} 3000`,
    credential: ['F#key-requests#key_1#2026-11 7'],
  },
  {
    of: 'a signer',
    caller: signer,
    searches: [`F#searches#key#sg_1#${hour} 100`],
    free: `F#free-deliveries#key#sg_1#${hour} 600`,
  },
  {
    of: 'a signer with a limit, which names no page',
    caller: { ...signer, maxPerMonth: 50, isUnproven: true },
    searches: [`F#searches#key#sg_1#${hour} 100`],
    free: `F#free-deliveries#key#sg_1#${hour} 600`,
    credential: ['F#signer-requests#sg_1#2026-11 50'],
  },
  {
    of: 'a site key, per client as well',
    caller: site,
    searches: [`F#searches#key#st_1#visitor#${hour} 20`, `F#searches#key#st_1#${hour} 100`],
    free: `F#free-deliveries#key#st_1#${hour} 600`,
    credential: [`F#client-images#st_1#visitor#${hour} 120`, 'F#site-requests#st_1#2026-11 1000'],
  },
  {
    of: 'a site key on a request that names no page',
    caller: { ...site, isUnproven: true },
    searches: [`F#searches#key#st_1#visitor#${hour} 20`, `F#searches#key#st_1#${hour} 100`],
    free: `F#free-deliveries#key#st_1#${hour} 600`,
    credential: [
      `F#client-images#st_1#visitor#${hour} 120`,
      'F#unproven-requests#st_1#2026-11 100',
      'F#site-requests#st_1#2026-11 1000',
    ],
  },
  {
    of: 'a site key without a limit on a request that names no page',
    caller: { ...signer, publishedAs: 'site', isUnproven: true },
    searches: [`F#searches#key#sg_1#visitor#${hour} 20`, `F#searches#key#sg_1#${hour} 100`],
    free: `F#free-deliveries#key#sg_1#${hour} 600`,
    credential: [`F#client-images#sg_1#visitor#${hour} 120`],
  },
])('the limits of $of', ({ caller, searches, free, renditions = [], credential = [] }) => {
  const of = limits(caller);
  expect(named(...of.searches)).toEqual(searches);
  expect(named(of.freeDeliveries)).toEqual([free]);
  expect(named(...of.renditions)).toEqual(renditions);
  expect(named(...(of.credentialLimits ?? []))).toEqual(credential);
});

test('without a key an IPv6 client searches within its /48 network as well, and an IPv4 client by itself', () => {
  const searches = (ip: string) => named(...limits(anonymous, clientOf(ip, 'secret')).searches);
  const [own, network] = searches('2001:db8:1:2::3');
  expect([own, network]).toEqual([
    expect.stringMatching(/^F#searches#ip#.* 10$/),
    expect.stringMatching(/^F#network-searches#.* 100$/),
  ]);
  const [neighbour, sameNetwork] = searches('2001:db8:1:ffff::9');
  expect(neighbour).not.toBe(own);
  expect(sameNetwork).toBe(network);
  expect(searches('2001:db8:2::3')[1]).not.toBe(network);
  expect(searches('203.0.113.9')).toHaveLength(1);
  expect(searches('::ffff:203.0.113.9')).toEqual(searches('203.0.113.9'));
});

test.each([
  [9, 0],
  [10, 1],
  [1, 0],
])('a site key with a cap of %i has %i requests a month that name no page', (maxPerMonth, unproven) => {
  const { credentialLimits } = limits({ ...site, isUnproven: true, maxPerMonth });
  expect(credentialLimits.map(({ limit }) => limit)).toEqual([120, unproven, maxPerMonth]);
});

test.each([
  [600, 200],
  [5, 1],
  [2, 1],
  [1, 1],
])('of %i free deliveries %i may be renditions that have to be made', (deliveries, renditions) => {
  const of = { ...freeDeliveries, limit: deliveries };
  expect(named(freeRenditionsOf(of))).toEqual([`F#free-renditions#live#acc_1#${hour} ${renditions}`]);
});

test('the renditions of a paid image are counted for each credential and image, each of them once', () => {
  const limit = paidImageRenditionsOf(site, 'PAID#x', noon);
  expect(named(limit)).toEqual([`F#paid-image-renditions#st_1#PAID#x#${hour} 60`]);
  expect([isSet(limit), isSet(freeDeliveries), isSet(limits(anonymous).quota)]).toEqual([true, false, true]);
});

test('a rendition is counted under its size, its mark and its format', () => {
  const size = { widthPx: 800, heightPx: 600 };
  expect(renditionId(size, 'webp')).toBe('800x600.webp');
  expect(renditionId({ ...size, label: 'corner' }, 'avif')).toBe('800x600-corner.avif');
});

test('reports, refused prompts and generations are counted for each account, in windows of their own', () => {
  expect(
    named(
      usageReportsOf(account, noon),
      refusedPromptsOf('live#acc_1', noon),
      monthlyGenerationsOf('live#acc_1', 5, noon),
      dailyGenerations(100, noon),
      dailyGenerations(100, noon, 'live#acc_1').share,
      generationShareOf('live#acc_1', 3, noon),
    ),
  ).toEqual([
    'F#usage-reports#live#acc_1#2026-11-21T12:10 30',
    `F#refused-prompts#live#acc_1#${hour} 20`,
    'F#generations#live#acc_1#2026-11 5',
    'F#generations#all#2026-11-21 100',
    'F#generation-share#live#acc_1#2026-11-21 20',
    'F#generation-share#live#acc_1#2026-11-21 2',
  ]);
  expect([shareOf(9), shareOf(10), shareOf(14), shareOf(15)]).toEqual([2, 2, 2, 3]);
});

test('nothing is left of a limit that is overdrawn', () => {
  expect(rateLimitStatusOf(freeDeliveries, 601).remaining).toBe(0);
});
