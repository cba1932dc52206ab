/** Changes and removes accounts, and reads their records and plans. */

import type { PlanName } from '../../lambda/contract/plans';
import { isAccountId } from '../../lambda/credentials/caller';
import { readAccountKeys, type StoredKey } from '../../lambda/credentials/key-store';
import { type ManageServices, setAccountProfile } from '../../lambda/credentials/manage-keys';
import { listRequestLimits, makeGenerationMonthLimit } from '../../lambda/quota/caller-limits';
import { moveUnits } from '../../lambda/quota/move-units';
import { apiSettings, readConfig } from '../../lambda/services/settings';
import { createNotFoundFailure } from '../failure';
import type { Result } from '../output';
import type { Service } from '../service';
import type { Session } from '../service-command';
import { removeAccount } from './remove-account';

/** Puts an account on a plan, or names it. */
export async function changeAccount(
  { service, args: [id = '', value = ''] }: Session,
  term: 'plan' | 'accountName',
): Promise<Result> {
  const record = await readNewestRecord(service, id);
  const { account } = record;
  // The units move first. If that fails, the keys still name the old plan, so the command can be repeated.
  if (term === 'plan') await moveMonth(service, record, value as PlanName);
  const keys = await setAccountProfile(service, account, { [term]: value });
  return { json: { account, [term]: value, keys }, remark: 'It shows everywhere within a minute.' };
}

/**
 * Keeps the used part of an account's month. A plan without a limit counts on other items than a plan with a limit,
 * so the units of requests and AI images move to the items of the new plan.
 */
async function moveMonth(service: Service, { account, plan, keyId }: StoredKey, newPlan: PlanName) {
  const plans = readPlans(service);
  const nowMs = service.clock.nowMs();
  const listLimits = (plan: PlanName) => {
    const caller = { kind: 'live', account, plan, keyId } as const;
    return [...listRequestLimits(caller, '', plans, nowMs), makeGenerationMonthLimit(caller, plans, nowMs)];
  };
  const newLimits = listLimits(newPlan);
  for (const [i, limit] of listLimits(plan).entries()) await moveUnits(service, limit, newLimits[i] ?? limit);
}

/** Removes an account for good, with its credentials, usage and AI images. */
export async function deleteAccount(session: Session): Promise<Result> {
  const [account = ''] = session.args;
  if (!isAccountId(account)) throw createNotFoundFailure(`There is no account ${account}.`);
  const question = `Account ${account}, its credentials, usage and AI images will be removed for good.`;
  await session.requireConfirmation(question);
  return { json: { account, ...(await removeAccount(session.service, account)) } };
}

/** Reads the records of an account, oldest first. */
export async function readAccountRecords(services: ManageServices, account: string) {
  const records = isAccountId(account) ? await readAccountKeys(services, account) : [];
  if (records.length > 0) return records;
  throw createNotFoundFailure(`There is no account ${account}. "keys list" shows all accounts.`);
}

/** Reads the newest record of an account, which has its plan and name. */
export async function readNewestRecord(services: ManageServices, account: string): Promise<StoredKey> {
  return (await readAccountRecords(services, account)).at(-1) as StoredKey;
}

/** Reads the plans of a service, with the numbers that its operator has set. */
export function readPlans({ plans }: Service) {
  return readConfig({ PLANS: plans }, { PLANS: apiSettings.PLANS }).PLANS;
}
