/** Creates, lists, shows, rotates and revokes API keys, signers and site keys alike. */

import { untimed } from '../../lambda/aws/dynamodb';
import { systemIds } from '../../lambda/base/system';
import type { PlanName } from '../../lambda/contract/plans';
import { isAccountId } from '../../lambda/credentials/account-id';
import type { KeyRecord } from '../../lambda/credentials/api-keys';
import { allKeys, keysOf } from '../../lambda/credentials/key-store';
import {
  findByKeyId,
  type IssuedKey,
  issueKey,
  type ManageServices,
  revokeKey,
  rotateKey,
} from '../../lambda/credentials/manage-keys';
import { signerIdOf, signerSecretOf } from '../../lambda/credentials/signer';
import { allowedOriginOf, originForm } from '../../lambda/credentials/site-key';
import { failed, notFound, wrongUsage } from '../failure';
import { type Facts, facts, type Result, table } from '../output';
import type { Service } from '../service';
import type { Session } from '../service-command';
import type { CredentialKind } from './kinds';

/** What the functions that issue, change and find keys need of a service. */
export const keyServicesOf = ({ database, tables, readPrincipal }: Service): ManageServices => ({
  ...untimed(database),
  tables,
  ids: systemIds,
  readPrincipal,
});

interface CreateOptions {
  readonly name: string;
  readonly test?: true;
  readonly account?: string;
  readonly plan?: PlanName;
  readonly accountName?: string;
  readonly role?: 'owner' | 'member';
  readonly origin?: readonly string[];
  readonly maxPerMonth?: number;
}

/** Makes one, of an account or, with an API key, of a new one. */
export async function create(
  kind: CredentialKind,
  { service }: Session,
  { name, test, account: id, plan = 'free', accountName, role, origin = [], maxPerMonth }: CreateOptions,
): Promise<Result> {
  const mode = test ? 'test' : 'live';
  if (role === 'owner' && test) throw wrongUsage('A test key owns no account.');
  const origins = readOrigins(origin, mode);
  const services = keyServicesOf(service);
  const existing = id === undefined ? undefined : await accountOf(services, id);
  const reveal = await revealing(kind, service);
  const made = await issueKey(services, {
    ...{ mode, name, account: existing?.account, accountName, role, maxPerMonth },
    plan: existing?.plan ?? plan,
    publishedAs: kind.kind === 'key' ? undefined : kind.kind,
    origins: kind.kind === 'site' ? origins : undefined,
  });
  const signerId = made.signer?.keyId;
  return issued(kind, reveal(made), signerId ? { signerId } : {}, [['Signer id', signerId]]);
}

/** Origins that one site key may have. */
const originsMax = 20;

/** Each origin once. @throws `Failure` with the usage code */
function readOrigins(texts: readonly string[], mode: 'live' | 'test') {
  if (texts.length > originsMax) throw wrongUsage(`--origin can be given at most ${originsMax} times.`);
  const origins = texts.map((text) => {
    const origin = allowedOriginOf(text, mode);
    if (origin !== undefined) return origin;
    throw wrongUsage(`--origin "${text}" is not allowed. It takes ${originForm}.`);
  });
  return [...new Set(origins)];
}

/**
 * Finds what is secret of one that was just made. What the signers' own secrets are derived from is read before one is made,
 * so that none is made whose secret was never shown.
 */
async function revealing(
  { kind }: CredentialKind,
  { readSecret, signerSecretId }: Service,
): Promise<(made: IssuedKey) => IssuedKey> {
  const master = kind === 'signer' ? await readSecret(signerSecretId) : undefined;
  if (master === '') throw failed('The secret of the signers is empty.');
  return ({ record, key }) => ({
    record,
    key: key || signerSecretOf(master ?? '', signerIdOf(record.keyId)),
  });
}

/** One that was just made: the one time its secret can be read. @param json and `lines` add what only its command knows */
function issued(
  kind: CredentialKind,
  { record, key }: IssuedKey,
  json: object = {},
  lines: Facts = [],
): Result {
  const { keyId, publishedAs: _kind, state: _state, ...rest } = viewOf(record);
  return {
    json: { [kind.secret.json]: key, [kind.id.json]: keyId, ...rest, ...json },
    text: () => facts([[kind.secret.title, key], ...factsOf(kind, record), ...lines]),
    note: kind.note,
  };
}

/** All of a kind, by account and age, or those of one account. */
export async function list(
  kind: CredentialKind,
  { service }: Session,
  { account }: { readonly account?: string },
): Promise<Result> {
  const services = keyServicesOf(service);
  const records: KeyRecord[] = account === undefined ? [] : [...(await recordsOf(services, account))];
  if (account === undefined) for await (const record of allKeys(services)) records.push(record);
  const order = (record: KeyRecord) => `${record.account} ${record.createdAt}`;
  const views = records
    .filter((record) => isOf(kind, record))
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
    .map(viewOf);
  const rows = views.map((view) => {
    const whose = [view.accountName, view.plan].filter(Boolean).join(', ');
    const words = [`${view.name} (${whose})`, view.origins?.join(', '), capOf(view)].filter(Boolean);
    return [view.keyId, view.account, view.mode, view.state, words.join('; ')];
  });
  const head = [kind.id.title, 'Account', 'Mode', 'State', 'Name (account, plan)'];
  return {
    json: views,
    text: (columns) => (views.length === 0 ? `There are no ${kind.noun}s yet.` : table(head, rows, columns)),
  };
}

/** One, without what is secret. */
export async function show(kind: CredentialKind, { service }: Session, _: object, id = ''): Promise<Result> {
  return described(kind, await find(keyServicesOf(service), kind, id));
}

/** Ends one for good; one that is revoked already is shown. */
export async function revoke(
  kind: CredentialKind,
  { service, confirm }: Session,
  _: object,
  id = '',
): Promise<Result> {
  const services = keyServicesOf(service);
  const record = await find(services, kind, id);
  if (record.revokedAt === undefined)
    await confirm(`${namedOf(kind, record)} is revoked for good. ${kind.end}`);
  return described(kind, await revokeKey(services, record));
}

/** Creates a successor of one, which itself works until an overlap ends; a revoked or expired one is refused. */
export async function rotate(
  kind: CredentialKind,
  { service, confirm }: Session,
  { overlap }: { readonly overlap: number },
  id = '',
): Promise<Result> {
  const services = keyServicesOf(service);
  const old = await find(services, kind, id);
  const { state, account } = viewOf(old);
  if (state === 'revoked' || state === 'expired')
    throw failed(
      `${namedOf(kind, old)} is ${state}. Create another one: ${kind.commands} create --account ${account}`,
    );
  if (overlap === 0) await confirm(`${namedOf(kind, old)} ends now. ${kind.end}`);
  const reveal = await revealing(kind, service);
  const made = reveal(await rotateKey(services, old, overlap));
  const { expiresAt } = await find(services, kind, id);
  return issued(kind, made, { replaces: { [kind.id.json]: id, expiresAt } }, [
    ['Replaces', id],
    ['Which ends', overlap === 0 ? `${expiresAt}, everywhere within a minute` : expiresAt],
  ]);
}

const isOf = ({ kind }: CredentialKind, { publishedAs }: KeyRecord) => (publishedAs ?? 'key') === kind;

const namedOf = ({ noun }: CredentialKind, { keyId, name, account }: KeyRecord) =>
  `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${keyId} ("${name}", account ${account})`;

/** The record of an id. @throws `Failure` with the code for what is not found */
async function find(services: ManageServices, kind: CredentialKind, id: string): Promise<KeyRecord> {
  const record = await findByKeyId(services, id);
  if (record && isOf(kind, record)) return record;
  throw notFound(`There is no ${kind.noun} ${id}. "${kind.commands} list" shows all ${kind.noun}s.`);
}

/** What an account has, oldest first: at least one. @throws `Failure` with the code for what is not found */
async function recordsOf(services: ManageServices, account: string): Promise<readonly KeyRecord[]> {
  const records = isAccountId(account) ? await keysOf(services, account) : [];
  if (records.length > 0) return records;
  throw notFound(`There is no account ${account}. "keys list" shows all accounts.`);
}

/** The newest record of an account, with its plan and its name. @throws `Failure` with the code for what is not found */
export async function accountOf(services: ManageServices, account: string): Promise<KeyRecord> {
  return (await recordsOf(services, account)).at(-1) as KeyRecord;
}

/** A record as it is printed: without its hash, and with what became of it. */
function viewOf({ hash: _hash, ...record }: KeyRecord) {
  const { revokedAt, expiresAt } = record;
  const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
  const ending = expiresAt === undefined ? 'active' : isOver ? 'expired' : 'expiring';
  return { ...record, state: revokedAt === undefined ? ending : 'revoked' };
}

function described(kind: CredentialKind, record: KeyRecord): Result {
  return { json: viewOf(record), text: () => facts(factsOf(kind, record)) };
}

const capOf = ({ maxPerMonth }: Pick<KeyRecord, 'maxPerMonth'>) =>
  maxPerMonth === undefined ? undefined : `${maxPerMonth.toLocaleString('en')} per month`;

function factsOf(kind: CredentialKind, record: KeyRecord): Facts {
  return [
    [kind.id.title, record.keyId],
    ['Name', record.name],
    ['Account', record.account],
    ['Account name', record.accountName],
    ['Plan', record.plan],
    ['Mode', record.mode],
    ['Role', record.role],
    ['State', viewOf(record).state],
    ['Created', `${record.createdAt} by ${record.createdBy}`],
    ['Origins', record.origins?.join(', ')],
    ['At most', capOf(record)],
    ['Ends', record.expiresAt],
    ['Revoked', record.revokedAt],
    ['Changed', record.changedAt && `${record.changedAt} by ${record.changedBy}`],
  ];
}
