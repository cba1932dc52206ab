/** What changes an account on all its keys, shows what it has used, and ends it. */

import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { type PlanName, unlimitedRequests } from '../../lambda/contract/plans';
import { isAccountId } from '../../lambda/credentials/account-id';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import { keysOf } from '../../lambda/credentials/key-store';
import { setTerms } from '../../lambda/credentials/manage-keys';
import { apiSettings, readConfig } from '../../lambda/functions/settings';
import { generationDayOf } from '../../lambda/quota/caller-limits';
import { usedOf } from '../../lambda/quota/take';
import { reportUsage } from '../../lambda/quota/usage/report-usage';
import type { UsageBreakdown, UsageDocument } from '../../lambda/quota/usage/usage-schema';
import { notFound } from '../failure';
import { imagesOf } from '../images/images';
import { countOf, facts, type Result, table } from '../output';
import type { Service } from '../service';
import type { Session } from '../service-command';
import { accountOf, keyServicesOf } from './credentials';
import { removeAccount } from './remove-account';

/** Puts an account on a plan, or names it. */
export async function change(
  service: Service,
  id = '',
  terms: { readonly plan?: string | undefined } | { readonly accountName?: string | undefined },
): Promise<Result> {
  const services = keyServicesOf(service);
  const { account } = await accountOf(services, id);
  const keys = await setTerms(services, account, terms as { plan: PlanName } | { accountName: string });
  const words = 'plan' in terms ? `is on plan ${terms.plan}` : `is called ${Object.values(terms)[0]}`;
  return {
    json: { account, ...terms, keys },
    text: () => `Account ${account} ${words}, with its ${countOf(keys, 'key')}. It shows within a minute.`,
  };
}

/** Removes all that belongs to an account, for good. */
export async function deleteAccount({ service, confirm }: Session, _: object, account = ''): Promise<Result> {
  if (!isAccountId(account)) throw notFound(`There is no account ${account}.`);
  const services = await imagesOf(service);
  await confirm(`Account ${account}, its credentials, usage and AI images will be removed for good.`);
  const removed = await removeAccount({ ...services, tables: service.tables }, account);
  return {
    json: { account, ...removed },
    text: () => `Removed of account ${account}:\n${facts(Object.entries(removed))}`,
  };
}

/** What an account has used, as the account itself can read it, beside the operator's day of AI images. */
export async function usage(
  { service }: Session,
  { test }: { readonly test?: true },
  id = '',
): Promise<Result> {
  const services = { ...keyServicesOf(service), tables: service.tables };
  const { account, accountName, plan, keyId } = await accountOf(services, id);
  const named = accountName === undefined ? {} : { accountName };
  const caller: KeyedCaller = { kind: test ? 'test' : 'live', account, ...named, plan, keyId };
  const { PLANS: plans } = readConfig({ PLANS: service.plans }, { PLANS: apiSettings.PLANS });
  const readKeys = () => keysOf(services, account);
  const report = { ...services, readKeys, plans, pastMonths: createExpiringCache<never>(1) };
  const nowMs = Date.now();
  const { document } = await reportUsage(report, caller, nowMs);
  const limit = Number(service.generationsPerDay);
  // For all accounts together, where there is a ceiling.
  const day = limit > 0 && { limit, used: await usedOf(services, generationDayOf(limit, nowMs)) };
  const json = { ...document, ...(day && { day }) };
  return { json, text: (columns) => describe(json, columns) };
}

type UsageRecord = UsageDocument & {
  readonly day?: { readonly limit: number; readonly used: number };
};

const amount = (value: number) => (value === unlimitedRequests ? 'unlimited' : value.toLocaleString('en'));

function describe(record: UsageRecord, columns: number): string {
  const { breakdown, history = [], generations, day } = record;
  const { byDay = [], byKey = [], refused = {} } = breakdown ?? {};
  const about = facts([
    ['Account', record.account],
    ['Account name', record.accountName],
    ['Plan', record.plan],
    ['Mode', record.mode],
    ['Used', amount(record.used)],
    ['Limit', amount(record.limit)],
    ['Remaining', amount(record.remaining)],
    ['Resets', record.reset],
    ['AI images', `${amount(generations.used)} of ${amount(generations.limit)} this month`],
    ['AI images, all accounts', day && `${amount(day.used)} of ${amount(day.limit)} today`],
  ]);
  const counts = ['Charged', 'From cache', 'New', 'Free'];
  const countsOf = ({ requests, byCache, free }: Omit<UsageBreakdown['byDay'][number], 'date'>) => [
    ...[requests, byCache.HIT, byCache.MISS, free],
  ];
  const tables = [
    { head: ['Day', ...counts], rows: byDay.map((each) => [each.date, ...countsOf(each)]) },
    {
      head: ['Key id', 'Charged', 'Free', 'Name'],
      rows: byKey.map(({ keyId, requests, free, name = '' }) => [keyId, requests, free, name]),
    },
    { head: ['Refused', 'Requests'], rows: Object.entries(refused) },
    { head: ['Month', ...counts], rows: history.map((each) => [each.month, ...countsOf(each)]) },
  ].filter(({ rows }) => rows.length > 0);
  return [about, ...tables.map(({ head, rows }) => table(head, rows, columns))].join('\n\n');
}
