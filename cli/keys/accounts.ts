/** What changes an account on all its keys, shows what it has used, and ends it. */

import { untimed } from '../../lambda/aws/dynamodb';
import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { type PlanName, unlimitedRequests } from '../../lambda/contract/plans';
import { routes } from '../../lambda/contract/routes';
import { isAccountId } from '../../lambda/credentials/account-id';
import type { KeyedCaller } from '../../lambda/credentials/caller';
import { keysOf } from '../../lambda/credentials/key-store';
import { setTerms } from '../../lambda/credentials/manage-keys';
import { apiSettings, readConfig } from '../../lambda/functions/settings';
import { generationDayOf } from '../../lambda/quota/caller-limits';
import { usedOf } from '../../lambda/quota/take';
import { reportUsage, usageDocument } from '../../lambda/quota/usage/report-usage';
import type { UsageBreakdown } from '../../lambda/quota/usage/usage-schema';
import { notFound } from '../failure';
import { countOf, facts, type Result, table } from '../output';
import type { Service } from '../service';
import type { Session } from '../service-command';
import { accountOf, keyServicesOf } from './credentials';
import { removeAccount } from './remove-account';

/** Puts an account on a plan. */
export async function setPlan({ service }: Session, _: object, id = '', plan = ''): Promise<Result> {
  const services = keyServicesOf(service);
  const { account } = await accountOf(services, id);
  const keys = await setTerms(services, account, { plan: plan as PlanName });
  const text = `Account ${account} is on plan ${plan}, with its ${countOf(keys, 'key')}. The limit changes within a minute.`;
  return { json: { account, plan, keys }, text: () => text };
}

/** Names an account. */
export async function setName({ service }: Session, _: object, id = '', accountName = ''): Promise<Result> {
  const services = keyServicesOf(service);
  const { account } = await accountOf(services, id);
  const keys = await setTerms(services, account, { accountName });
  const text = `Account ${account} is called ${accountName}. Events and GET ${routes.usage} show the name within a minute.`;
  return { json: { account, accountName, keys }, text: () => text };
}

/** Removes all that belongs to an account, for good. */
export async function deleteAccount({ service, confirm }: Session, _: object, account = ''): Promise<Result> {
  if (!isAccountId(account)) throw notFound(`There is no account ${account}.`);
  const services = {
    ...untimed(service.database),
    tables: service.tables('apiKeys', 'quotaCounters', 'generationIndex'),
    bucket: service.openLibrary(),
    invalidate: service.invalidate,
  };
  await confirm(`Account ${account}, its credentials, usage and AI images will be removed for good.`);
  const { credentials, usage: items, images, files } = await removeAccount(services, account);
  return {
    json: { account, credentials, usage: items, images, files },
    text: () =>
      facts([
        ['Account', account],
        ['Credentials', credentials],
        ['Items of usage', items],
        ['AI images', images],
        ['Files', files],
      ]),
  };
}

/** What an account has used, as the account itself can read it, beside the operator's day of AI images. */
export async function usage(
  { service }: Session,
  { test }: { readonly test?: boolean },
  id = '',
): Promise<Result> {
  const services = keyServicesOf(service);
  const { account, accountName, plan, keyId } = await accountOf(services, id);
  const name = accountName === undefined ? {} : { accountName };
  const caller: KeyedCaller = { kind: test ? 'test' : 'live', account, ...name, plan, keyId };
  const { PLANS: plans } = readConfig({ PLANS: service.plans }, { PLANS: apiSettings.PLANS });
  const deps = {
    ...services,
    tables: service.tables('quotaCounters'),
    readKeys: () => keysOf(services, account),
    plans,
    pastMonths: createExpiringCache<never>(1),
  };
  const [report, day] = await Promise.all([reportUsage(deps, caller, Date.now()), generatedToday(service)]);
  const json = { ...usageDocument(caller, report), ...(day ? { day } : {}) };
  return { json, text: (columns) => describe(json, columns) };
}

/** Images generated today for all accounts together, against their ceiling; `undefined` where there is none. */
async function generatedToday(service: Service) {
  const limit = Number(service.generationsPerDay);
  if (!(limit > 0)) return undefined;
  const services = { ...untimed(service.database), tables: service.tables('quotaCounters') };
  return { limit, used: await usedOf(services, generationDayOf(limit, Date.now())) };
}

type UsageRecord = ReturnType<typeof usageDocument> & {
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

function countsOf({
  requests,
  byCache,
  free,
}: Pick<UsageBreakdown['byDay'][number], 'requests' | 'byCache' | 'free'>) {
  return [requests, byCache.HIT, byCache.MISS, free];
}
