/** Does the work of the commands of `keys`. API keys, signers and site keys share these functions. */

import { createExpiringCache } from '../../lambda/base/expiring-cache';
import { capitalise } from '../../lambda/base/text';
import type { PlanName } from '../../lambda/contract/plans';
import { keyBounds } from '../../lambda/contract/request-bounds';
import { isAccountId, type KeyedCaller } from '../../lambda/credentials/caller';
import { readAccountKeys, readAllKeys, type StoredKey } from '../../lambda/credentials/key-store';
import {
  findKeyById,
  type IssuedKey,
  issueKey,
  type KeyRequest,
  type ManageServices,
  revokeKey,
  rotateKey,
  setAccountProfile,
} from '../../lambda/credentials/manage-keys';
import { writeSignerSecret } from '../../lambda/credentials/signer';
import { originForm, parseAllowedOrigin } from '../../lambda/credentials/site-key';
import {
  listRequestLimits,
  makeGenerationDayLimit,
  makeGenerationMonthLimit,
} from '../../lambda/quota/caller-limits';
import { moveUnits } from '../../lambda/quota/move-units';
import { readUsedUnits } from '../../lambda/quota/take';
import { reportUsage } from '../../lambda/quota/usage/report-usage';
import type { UsageBreakdown, UsageDocument } from '../../lambda/quota/usage/usage-schema';
import { apiSettings, readConfig } from '../../lambda/services/settings';
import { readSecretText } from '../aws';
import { createFailure, createNotFoundFailure, createUsageFailure } from '../failure';
import { formatFields, formatTable, type Result } from '../output';
import type { Service } from '../service';
import type { Session } from '../service-command';
import type { CredentialKind } from './kinds';
import { removeAccount } from './remove-account';

interface CreateOptions extends Pick<KeyRequest, 'name' | 'role' | 'accountName' | 'maxPerMonth'> {
  readonly test?: true;
  readonly account?: string;
  readonly plan?: PlanName;
  readonly origin?: readonly string[];
}

/** Creates a credential for an account. An API key may also begin a new account. */
export async function createCredential(
  kind: CredentialKind,
  { service, options: { test, account, plan = 'free', origin, ...keyOptions } }: Session<CreateOptions>,
): Promise<Result> {
  const mode = test ? 'test' : 'live';
  if (keyOptions.role === 'owner' && test) throw createUsageFailure('A test key owns no account.');
  const origins = origin && parseOrigins(origin, mode);
  const existing = account === undefined ? undefined : await readNewestRecord(service, account);
  const master = await readSignerMaster(kind, service);
  const key = await issueKey(service, {
    ...keyOptions,
    mode,
    origins,
    publishedAs: kind.publishedAs,
    plan: existing?.plan ?? plan,
    account: existing?.account,
  });
  return showIssued(kind, key, master, key.signer && { signerId: key.signer.keyId });
}

/** Parses the origins of a site key without duplicates, or throws `Failure`. */
function parseOrigins(texts: readonly string[], mode: 'live' | 'test') {
  const origins = [...new Set(texts.map((text) => parseAllowedOrigin(text, mode)))];
  const { originsMax } = keyBounds;
  if (origins.length <= originsMax && origins.every((origin) => origin !== undefined)) return origins;
  throw createUsageFailure(`--origin takes ${originForm}; at most ${originsMax} of them.`);
}

/**
 * Reads the master of signers' secrets. Other kinds need none and get an empty text. It is called before a signer is
 * created: if the read fails, there is no signer whose secret nobody has seen.
 */
async function readSignerMaster(kind: CredentialKind, service: Service): Promise<string> {
  if (kind.publishedAs !== 'signer') return '';
  const master = await readSecretText(service.signerSecretId);
  if (master) return master;
  throw createFailure('The secret of the signers is empty.');
}

function showIssued(kind: CredentialKind, issued: IssuedKey, master: string, extra = {}): Result {
  const { hash: _hash, keyId, publishedAs: _kind, ...fields } = issued.key;
  const secret = issued.secret || writeSignerSecret(master, keyId);
  return { json: { [kind.secret]: secret, [kind.id]: keyId, ...fields, ...extra }, note: kind.note };
}

/** Lists the credentials of a kind by account and age. The option `account` limits the list to one account. */
export async function listCredentials(
  kind: CredentialKind,
  { service, options: { account } }: Session<{ readonly account?: string }>,
): Promise<Result> {
  const records: StoredKey[] = [];
  const source = account === undefined ? readAllKeys(service) : await readAccountRecords(service, account);
  for await (const record of source) if (record.publishedAs === kind.publishedAs) records.push(record);
  const sortKey = (record: StoredKey) => `${record.account} ${record.createdAt}`;
  const views = records
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    .map((record) => describeRecord(record, service.clock.nowMs()));
  const rows = views.map(({ keyId, account, mode, state, plan, name, accountName = '', origins }) => {
    const id = { [`${kind.noun} id`]: keyId };
    const pages = origins && { origins: origins.join(', ') };
    return { ...id, account, mode, state, plan, name, accountName, ...pages };
  });
  return { json: views, text: formatTable(rows) || `There are no ${kind.noun}s yet.` };
}

/** Shows a credential without its secret. */
export async function showCredential(
  kind: CredentialKind,
  { service, args: [id] }: Session,
): Promise<Result> {
  return { json: describeRecord(await readCredential(service, kind, id), service.clock.nowMs()) };
}

/** Revokes a credential for good. It changes nothing if the credential is revoked already. */
export async function revokeCredential(
  kind: CredentialKind,
  { service, requireConfirmation, args: [id] }: Session,
): Promise<Result> {
  const record = await readCredential(service, kind, id);
  if (record.revokedAt === undefined)
    await requireConfirmation(`${writeRecordName(kind, record)} is revoked for good. ${kind.end}`);
  return { json: describeRecord(await revokeKey(service, record), service.clock.nowMs()) };
}

/** Creates a successor of a credential. The old one works until the overlap ends. */
export async function rotateCredential(
  kind: CredentialKind,
  { service, requireConfirmation, options: { overlap }, args: [id] }: Session<{ readonly overlap: number }>,
): Promise<Result> {
  const record = await readCredential(service, kind, id);
  const { state, account } = describeRecord(record, service.clock.nowMs());
  if (state === 'revoked' || state === 'expired')
    throw createFailure(
      `${writeRecordName(kind, record)} is ${state}. Create another one: ${kind.commands} create --account ${account}`,
    );
  if (overlap === 0) await requireConfirmation(`${writeRecordName(kind, record)} ends now. ${kind.end}`);
  const master = await readSignerMaster(kind, service);
  const key = await rotateKey(service, record, overlap);
  const { expiresAt } = await readCredential(service, kind, id);
  return showIssued(kind, key, master, { replaces: { [kind.id]: id, expiresAt } });
}

const writeRecordName = ({ noun }: CredentialKind, { keyId, name, account }: StoredKey) =>
  `${capitalise(noun)} ${keyId} ("${name}", account ${account})`;

async function readCredential(services: ManageServices, kind: CredentialKind, id = ''): Promise<StoredKey> {
  const record = await findKeyById(services, id);
  if (record && record.publishedAs === kind.publishedAs) return record;
  throw createNotFoundFailure(
    `There is no ${kind.noun} ${id}. "${kind.commands} list" shows all ${kind.noun}s.`,
  );
}

/** Reads the records of an account, oldest first. */
async function readAccountRecords(services: ManageServices, account: string): Promise<readonly StoredKey[]> {
  const records = isAccountId(account) ? await readAccountKeys(services, account) : [];
  if (records.length > 0) return records;
  throw createNotFoundFailure(`There is no account ${account}. "keys list" shows all accounts.`);
}

async function readNewestRecord(services: ManageServices, account: string): Promise<StoredKey> {
  return (await readAccountRecords(services, account)).at(-1) as StoredKey;
}

/** Describes a credential as it is printed: without its hash, and with its state. */
function describeRecord({ hash: _hash, ...record }: StoredKey, nowMs: number) {
  const { revokedAt, expiresAt } = record;
  const hasExpired = expiresAt !== undefined && Date.parse(expiresAt) <= nowMs;
  const unrevoked = expiresAt === undefined ? 'active' : hasExpired ? 'expired' : 'expiring';
  return { ...record, state: revokedAt === undefined ? unrevoked : 'revoked' };
}

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
  return { json: { account, [term]: value, keys }, note: 'It shows everywhere within a minute.' };
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

function readPlans({ plans }: Service) {
  return readConfig({ PLANS: plans }, { PLANS: apiSettings.PLANS }).PLANS;
}

/** Removes an account for good, with its credentials, usage and AI images. */
export async function deleteAccount({
  service,
  requireConfirmation,
  args: [account = ''],
}: Session): Promise<Result> {
  if (!isAccountId(account)) throw createNotFoundFailure(`There is no account ${account}.`);
  await requireConfirmation(
    `Account ${account}, its credentials, usage and AI images will be removed for good.`,
  );
  return { json: { account, ...(await removeAccount(service, account)) } };
}

/** Shows the usage report of an account, and the AI images that all accounts have made today. */
export async function showUsage({
  service,
  options: { test },
  args: [id = ''],
}: Session<{ readonly test?: true }>): Promise<Result> {
  const { account, accountName, plan, keyId } = await readNewestRecord(service, id);
  const name = accountName === undefined ? {} : { accountName };
  const caller: KeyedCaller = { kind: test ? 'test' : 'live', account, ...name, plan, keyId };
  const services = {
    ...service,
    plans: readPlans(service),
    readKeys: () => readAccountKeys(service, account),
    pastMonths: createExpiringCache<never>(1),
  };
  const nowMs = service.clock.nowMs();
  const { document } = await reportUsage(services, caller, nowMs);
  const limit = Number(service.generationsPerDay);
  // The AI images of all accounts are counted only if the operator has set a limit for them.
  const day =
    limit > 0
      ? { limit, used: await readUsedUnits(service, makeGenerationDayLimit(limit, nowMs)) }
      : undefined;
  return { json: { ...document, ...(day && { day }) }, text: writeUsage(document, day) };
}

/** Writes a usage report for people. @param day AI images of all accounts today, if they have a limit */
function writeUsage({ breakdown, history, ...totals }: UsageDocument, day: object | undefined): string {
  const describeCounts = ({ requests, byCache, free }: Omit<UsageBreakdown['byDay'][number], 'date'>) => {
    return { charged: requests, fromCache: byCache.HIT, new: byCache.MISS, free };
  };
  const tables = [
    breakdown?.byDay.map((day) => ({ day: day.date, ...describeCounts(day) })),
    breakdown?.byKey?.map(({ keyId, requests, free, name = '' }) => {
      return { keyId, charged: requests, free, name };
    }),
    Object.entries(breakdown?.refused ?? {}).map(([refused, requests]) => ({ refused, requests })),
    history?.map((month) => ({ month: month.month, ...describeCounts(month) })),
  ].map((rows = []) => formatTable(rows));
  return [formatFields({ ...totals, allGenerationsToday: day }), ...tables].filter(Boolean).join('\n\n');
}
