/** The limits beside the quota: whose they are, and how high. */

import { defaultPlans } from '../../lambda/contract/plans';
import type { Caller, KeyedCaller } from '../../lambda/credentials/caller';
import { type Client, clientOf } from '../../lambda/credentials/client-ip';
import { counterKey } from '../../lambda/quota/quota';
import { limitsOf } from '../../lambda/quota/request-context';
import { accountId } from '../fakes/branded';

const noon = Date.parse('2026-11-21T12:10:00Z');
const account: KeyedCaller = { kind: 'live', account: accountId('acc_1'), plan: 'free', keyId: 'key_1' };
const site: KeyedCaller = { ...account, keyId: 'st_1', publishedAs: 'site', maxPerMonth: 1_000 };
const signer: KeyedCaller = { ...account, keyId: 'sg_1', publishedAs: 'signer' };
const anonymous: Caller = { kind: 'anonymous' };
const visitor: Client = { ipHash: 'visitor' };

const limits = (caller: Caller, client: Client = { ipHash: '' }) =>
  limitsOf(caller, client, defaultPlans, noon);
const named = (of: readonly Parameters<typeof counterKey>[0][]) =>
  of.map((limit) => `${counterKey(limit).split('#').slice(1, -1).join('#')} ${limit.limit}`);

test('searches of what a page shows are counted apart from those of the account, and per client of a site key', () => {
  expect(named(limits(account).searches)).toEqual(['searches#live#acc_1 100']);
  expect(named(limits(signer).searches)).toEqual(['searches#key#sg_1 100']);
  expect(named(limits(site, visitor).searches)).toEqual([
    'searches#key#st_1#visitor 20',
    'searches#key#st_1 100',
  ]);
});

test('without a key an IPv6 client searches within its /48 network as well, and an IPv4 client by itself', () => {
  const searches = (ip: string) => named(limits(anonymous, clientOf(ip, 'secret')).searches);
  const [own, network] = searches('2001:db8:1:2::3');
  expect([own, network]).toEqual([expect.stringMatching(/ 10$/), expect.stringMatching(/ 100$/)]);
  const [neighbour, sameNetwork] = searches('2001:db8:1:ffff::9');
  expect(neighbour).not.toBe(own);
  expect(sameNetwork).toBe(network);
  expect(searches('2001:db8:2::3')[1]).not.toBe(network);
  expect(searches('203.0.113.9')).toHaveLength(1);
  expect(searches('::ffff:203.0.113.9')).toEqual(searches('203.0.113.9'));
});

test('free deliveries are counted per IP address without a key, and per published credential', () => {
  const free = (caller: Caller, client?: Client) => named([limits(caller, client).freeDeliveries]);
  expect(free(anonymous, visitor)).toEqual(['free-deliveries#ip#visitor 60']);
  expect(free(account)).toEqual(['free-deliveries#live#acc_1 600']);
  expect(free(signer)).toEqual(['free-deliveries#key#sg_1 600']);
});

test.each([
  [9, 0],
  [10, 1],
  [1, 0],
])('a site key with a cap of %i has %i requests a month that name no page', (maxPerMonth, unproven) => {
  const { credentialLimits } = limits({ ...site, isUnproven: true, maxPerMonth }, visitor);
  expect(credentialLimits?.map(({ limit }) => limit)).toEqual([120, unproven, maxPerMonth]);
});
