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
import { type CredentialKind, signer } from './kinds';

/** What the functions that issue, change and find keys need of a service. */
export const keyServicesOf = (service: Service): ManageServices => ({
  ...untimed(service.database),
  tables: service.tables('apiKeys'),
  ids: systemIds,
  readPrincipal: () => service.readPrincipal(),
});

interface CreateOptions {
  readonly name: string;
  readonly test?: boolean;
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
  session: Session,
  { account, accountName, plan, role, origin = [], maxPerMonth, ...options }: CreateOptions,
): Promise<Result> {
  const mode = options.test ? 'test' : 'live';
  if (role === 'owner' && mode === 'test') throw wrongUsage('A test key owns no account.');
  const origins = readOrigins(origin, mode);
  const services = keyServicesOf(session.service);
  const existing = account === undefined ? undefined : await accountOf(services, account);
  if (existing && accountName !== undefined && accountName !== existing.accountName)
    throw wrongUsage('The account exists already. "keys set-name" names it on all its keys.');
  if (existing && plan !== undefined && plan !== existing.plan)
    throw wrongUsage(`The account is on plan ${existing.plan}. "keys set-plan" changes it for all its keys.`);
  const withSecret = kind.kind === 'signer' ? await readSecrets(session.service) : undefined;
  const made = await issueKey(services, {
    ...{ mode, name: options.name, account: existing?.account, accountName, role, maxPerMonth },
    plan: existing?.plan ?? plan ?? 'free',
    publishedAs: kind.kind === 'key' ? undefined : kind.kind,
    origins: kind.kind === 'site' ? origins : undefined,
  });
  if (withSecret) return issued(kind, withSecret(made.record));
  const signerId = made.signer?.keyId;
  return issued(kind, made, signerId === undefined ? {} : { signerId }, [[signer.id.title, signerId]]);
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
 * Reads the secret that the signers' own are derived from: before one is made, so that none is made whose secret was
 * never shown. The returned function adds a signer's secret to its record.
 */
async function readSecrets({
  signerSecretId,
  readSecret,
}: Service): Promise<(record: KeyRecord) => IssuedKey> {
  if (signerSecretId === undefined)
    throw failed('The deployed version does not support signers yet. Deploy a newer one first.');
  const master = await readSecret(signerSecretId);
  if (!master) throw failed('The secret of the signers is empty.');
  return (record) => ({ record, key: signerSecretOf(master, signerIdOf(record.keyId)) });
}

/** One that was just made: the one time its secret can be read. @param json and `lines` add what only its command knows */
function issued(
  { id, secret, note, kind }: CredentialKind,
  { record, key }: IssuedKey,
  json: object = {},
  lines: Facts = [],
): Result {
  const { hash: _hash, publishedAs: _kind, keyId, ...rest } = record;
  const names: Facts = [
    [secret.title, key],
    [id.title, keyId],
  ];
  return {
    json: { [secret.json]: key, [id.json]: keyId, ...rest, ...json },
    text: () =>
      facts([
        ...(kind === 'signer' ? names.toReversed() : names),
        ...aboutOf(rest),
        ...limitsOf(rest),
        ...lines,
      ]),
    note,
  };
}

/** All of a kind, by account and age, or those of one account. */
export async function list(
  kind: CredentialKind,
  { service }: Session,
  { account }: { readonly account?: string },
): Promise<Result> {
  const services = keyServicesOf(service);
  const records: KeyRecord[] = [];
  if (account === undefined) for await (const record of allKeys(services)) records.push(record);
  else records.push(...(await recordsOf(services, account)));
  const order = (record: KeyRecord) => `${record.account} ${record.createdAt}`;
  const views = records
    .filter((record) => isOf(kind, record))
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
    .map(viewOf);
  const rows = views.map((view) => [view.keyId, view.account, view.mode, view.state, summaryOf(view)]);
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
  const { state } = viewOf(old);
  if (state === 'revoked' || state === 'expired')
    throw failed(
      `${namedOf(kind, old)} is ${state}. Create another one: ${kind.commands} create --account ${old.account}`,
    );
  if (overlap === 0) await confirm(`${namedOf(kind, old)} ends now. ${kind.end}`);
  const withSecret = kind.kind === 'signer' ? await readSecrets(service) : undefined;
  const { record, key } = await rotateKey(services, old, overlap);
  const { expiresAt } = await find(services, kind, id);
  const replaces = { [kind.id.json]: id, expiresAt };
  return issued(kind, withSecret?.(record) ?? { record, key }, { replaces }, [
    ['Replaces', id],
    ['Which ends', overlap === 0 ? `${expiresAt}, everywhere within a minute` : expiresAt],
  ]);
}

const isOf = ({ kind }: CredentialKind, { publishedAs }: KeyRecord) => (publishedAs ?? 'key') === kind;

function namedOf({ noun }: CredentialKind, { keyId, name, account }: KeyRecord): string {
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${keyId} ("${name}", account ${account})`;
}

/** The record of an id. @throws `Failure` with the code for what is not found */
async function find(services: ManageServices, kind: CredentialKind, id: string): Promise<KeyRecord> {
  const record = await findByKeyId(services, id);
  if (record && isOf(kind, record)) return record;
  throw notFound(`There is no ${kind.noun} ${id}. "${kind.commands} list" shows all ${kind.noun}s.`);
}

/** What an account has, oldest first: at least one. @throws `Failure` with the code for what is not found */
async function recordsOf(services: ManageServices, account: string): Promise<readonly KeyRecord[]> {
  const records = isAccountId(account) ? await keysOf(services, account) : [];
  if (records.length === 0) throw notFound(`There is no account ${account}. "keys list" shows all accounts.`);
  return records;
}

/** The newest record of an account, with its plan and its name. @throws `Failure` with the code for what is not found */
export async function accountOf(services: ManageServices, account: string): Promise<KeyRecord> {
  return (await recordsOf(services, account)).at(-1) as KeyRecord;
}

/** A record as it is printed: all but what is secret, and its hash. */
type KeyView = Omit<KeyRecord, 'hash'> & { readonly state: string };

function viewOf({ hash: _hash, ...record }: KeyRecord): KeyView {
  const { revokedAt, expiresAt } = record;
  const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
  const ending = expiresAt === undefined ? 'active' : isOver ? 'expired' : 'expiring';
  return { ...record, state: revokedAt === undefined ? ending : 'revoked' };
}

function described(kind: CredentialKind, record: KeyRecord): Result {
  const view = viewOf(record);
  const text = () =>
    facts([
      [kind.id.title, view.keyId],
      ...aboutOf(view),
      ['State', view.state],
      ['Created', `${view.createdAt} by ${view.createdBy}`],
      ...limitsOf(view),
      ['Ends', view.expiresAt],
      ['Revoked', view.revokedAt],
      ['Changed', view.changedAt && `${view.changedAt} by ${view.changedBy}`],
    ]);
  return { json: view, text };
}

/** What one is called and whose it is. */
const aboutOf = (
  about: Pick<KeyRecord, 'name' | 'account' | 'accountName' | 'plan' | 'mode' | 'role'>,
): Facts => [
  ['Name', about.name],
  ['Account', about.account],
  ['Account name', about.accountName],
  ['Plan', about.plan],
  ['Mode', about.mode],
  ['Role', about.role],
];

/** Where one may be used, and how often. */
const limitsOf = ({ origins, maxPerMonth }: Pick<KeyRecord, 'origins' | 'maxPerMonth'>): Facts => [
  ['Origins', origins?.join(', ')],
  ['At most', maxPerMonth && `${maxPerMonth.toLocaleString('en')} per month`],
];

function summaryOf(view: KeyView): string {
  const whose = [view.accountName, view.plan].filter(Boolean).join(', ');
  const limits = limitsOf(view).flatMap(([, value]) => (value ? [value] : []));
  return [`${view.name} (${whose})`, ...limits].join('; ');
}
