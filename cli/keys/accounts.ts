/** What changes an account on all its keys, shows what it has used, and ends it. */

import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { isAccountId, type KeyedCaller } from '../../lambda/credentials/caller';
import { keysOf } from '../../lambda/credentials/key-store';
import { setTerms } from '../../lambda/credentials/manage-keys';
import { apiSettings, readConfig } from '../../lambda/functions/settings';
import { generationDayOf } from '../../lambda/quota/caller-limits';
import { usedOf } from '../../lambda/quota/take';
import { reportUsage } from '../../lambda/quota/usage/report-usage';
import type { UsageBreakdown } from '../../lambda/quota/usage/usage-schema';
import { notFound } from '../failure';
import { facts, type Result, table } from '../output';
import type { Session } from '../service-command';
import { accountOf } from './credentials';
import { removeAccount } from './remove-account';

/** Puts an account on a plan, or names it. */
export async function change(
  { service, given: [id = '', value = ''] }: Session,
  term: 'plan' | 'accountName',
): Promise<Result> {
  const { account } = await accountOf(service, id);
  const keys = await setTerms(service, account, { [term]: value });
  return { json: { account, [term]: value, keys }, note: 'It shows everywhere within a minute.' };
}

/** Removes all that belongs to an account, for good. */
export async function deleteAccount({ service, confirm, given: [account = ''] }: Session): Promise<Result> {
  if (!isAccountId(account)) throw notFound(`There is no account ${account}.`);
  const services = { ...service, bucket: await service.openLibrary() };
  await confirm(`Account ${account}, its credentials, usage and AI images will be removed for good.`);
  return { json: { account, ...(await removeAccount(services, account)) } };
}

/** What an account has used, as the account itself can read it, beside the operator's day of AI images. */
export async function usage({
  service,
  options: { test },
  given: [id = ''],
}: Session<{ readonly test?: true }>): Promise<Result> {
  const { account, accountName, plan, keyId } = await accountOf(service, id);
  const named = accountName === undefined ? {} : { accountName };
  const caller: KeyedCaller = { kind: test ? 'test' : 'live', account, ...named, plan, keyId };
  const { PLANS: plans } = readConfig({ PLANS: service.plans }, { PLANS: apiSettings.PLANS });
  const readKeys = () => keysOf(service, account);
  const report = { ...service, readKeys, plans, pastMonths: createExpiringCache<never>(1) };
  const nowMs = Date.now();
  const { document } = await reportUsage(report, caller, nowMs);
  const limit = Number(service.generationsPerDay);
  // For all accounts together, where there is a ceiling.
  const day = limit > 0 && { limit, used: await usedOf(service, generationDayOf(limit, nowMs)) };
  const { breakdown, history, ...about } = { ...document, ...(day && { day }) };
  const counts = ['Charged', 'From cache', 'New', 'Free'];
  const countsOf = ({ requests, byCache, free }: Omit<UsageBreakdown['byDay'][number], 'date'>) => [
    ...[requests, byCache.HIT, byCache.MISS, free],
  ];
  const keyRows = breakdown?.byKey?.map(({ keyId, requests, free, name = '' }) => [
    ...[keyId, requests, free, name],
  ]);
  const tables = [
    { head: ['Day', ...counts], rows: breakdown?.byDay.map((each) => [each.date, ...countsOf(each)]) },
    { head: ['Key id', 'Charged', 'Free', 'Name'], rows: keyRows },
    { head: ['Refused', 'Requests'], rows: Object.entries(breakdown?.refused ?? {}) },
    { head: ['Month', ...counts], rows: history?.map((each) => [each.month, ...countsOf(each)]) },
  ].filter(({ rows = [] }) => rows.length > 0);
  return {
    json: { ...document, ...(day && { day }) },
    text: [facts(about), ...tables.map(({ head, rows = [] }) => table(head, rows))].join('\n\n'),
  };
}
