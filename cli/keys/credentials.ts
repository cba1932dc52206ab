/** Creates, lists, shows, rotates and revokes credentials: API keys, signers and site keys. */

import { capitalise } from '../../lambda/base/text';
import type { PlanName } from '../../lambda/contract/plans';
import { keyBounds } from '../../lambda/contract/request-bounds';
import { readAllKeys, type StoredKey } from '../../lambda/credentials/key-store';
import {
  findKeyById,
  type IssuedKey,
  issueKey,
  type KeyRequest,
  type ManageServices,
  revokeKey,
  rotateKey,
} from '../../lambda/credentials/manage-keys';
import { writeSignerSecret } from '../../lambda/credentials/signer';
import { originForm, parseAllowedOrigin } from '../../lambda/credentials/site-key';
import { readSecretText } from '../aws';
import { createGeneralFailure, createNotFoundFailure, createUsageFailure } from '../failure';
import { formatTable, type Result } from '../output';
import type { Service } from '../service';
import type { Session } from '../service-command';
import { readAccountRecords, readNewestRecord } from './accounts';
import type { CredentialKind } from './kinds';

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
  const issued = await issueKey(service, {
    ...keyOptions,
    mode,
    origins,
    publishedAs: kind.publishedAs,
    plan: existing?.plan ?? plan,
    account: existing?.account,
  });
  return showIssued(kind, issued, master, issued.signer && { signerId: issued.signer.keyId });
}

/** Parses the origins of a site key without duplicates, or throws `Failure`. */
function parseOrigins(originTexts: readonly string[], mode: 'live' | 'test') {
  const origins = [...new Set(originTexts.map((text) => parseAllowedOrigin(text, mode)))];
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
  throw createGeneralFailure('The secret of the signers is empty.');
}

function showIssued(kind: CredentialKind, issued: IssuedKey, master: string, extra = {}): Result {
  const { hash: _hash, keyId, publishedAs: _kind, ...fields } = issued.key;
  const secret = issued.secret || writeSignerSecret(master, keyId);
  const json = { [kind.secretField]: secret, [kind.idField]: keyId, ...fields, ...extra };
  return { json, remark: kind.remark };
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
export async function showCredential(kind: CredentialKind, { service, args: [id] }: Session) {
  return { json: describeRecord(await readCredential(service, kind, id), service.clock.nowMs()) };
}

/** Revokes a credential for good. It changes nothing if the credential is revoked already. */
export async function revokeCredential(
  kind: CredentialKind,
  { service, requireConfirmation, args: [id] }: Session,
): Promise<Result> {
  const record = await readCredential(service, kind, id);
  if (record.revokedAt === undefined)
    await requireConfirmation(`${writeRecordName(kind, record)} is revoked for good. ${kind.ending}`);
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
    throw createGeneralFailure(
      `${writeRecordName(kind, record)} is ${state}. Create another one: ${kind.commands} create --account ${account}`,
    );
  if (overlap === 0) await requireConfirmation(`${writeRecordName(kind, record)} ends now. ${kind.ending}`);
  const master = await readSignerMaster(kind, service);
  const successor = await rotateKey(service, record, overlap);
  const { expiresAt } = await readCredential(service, kind, id);
  return showIssued(kind, successor, master, { replaces: { [kind.idField]: id, expiresAt } });
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

/** Describes a credential as it is printed: without its hash, and with its state. */
function describeRecord({ hash: _hash, ...record }: StoredKey, nowMs: number) {
  const { revokedAt, expiresAt } = record;
  const hasExpired = expiresAt !== undefined && Date.parse(expiresAt) <= nowMs;
  const unrevokedState = expiresAt === undefined ? 'active' : hasExpired ? 'expired' : 'expiring';
  return { ...record, state: revokedAt === undefined ? unrevokedState : 'revoked' };
}
