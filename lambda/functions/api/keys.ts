/** `/api/keys`: the owner of an account sees, makes, renames, rotates and revokes its credentials. */

import type * as z from 'zod/mini';
import { dayWindow } from '../../base/window';
import { routes } from '../../contract/routes';
import type { KeyRecord } from '../../credentials/api-keys';
import { isUsable } from '../../credentials/authorize';
import type { KeyedCaller } from '../../credentials/caller';
import { keysOf } from '../../credentials/key-store';
import {
  issueKey,
  issueSigner,
  issueSiteKey,
  type ManageServices,
  renameKey,
  revokeKey,
  revokeOwner,
  rotateKey,
  type Successor,
} from '../../credentials/manage-keys';
import {
  type NewKey,
  newKeySchema,
  type OwnKey,
  renamedKeySchema,
  rotatedKeySchema,
} from '../../credentials/own-keys';
import { signerIdOf, signerSecretOf } from '../../credentials/signer';
import { allowedOriginOf } from '../../credentials/site-key';
import { type HttpRequest, keyHolderOf } from '../../http/http-request';
import { type HttpRefusal, type HttpResult, invalidParameter, jsonResponse } from '../../http/http-response';
import { readBySchema, readJsonBody } from '../../http/read-body';
import { receivedText } from '../../problems/received';
import { usageReportLimitOf } from '../../quota/caller-limits';
import { takeFor } from '../../quota/charge';
import { usageOfDays } from '../../quota/usage/report-usage';
import type { Services } from '../../services';

/** Active credentials that one account may have. */
const activeKeysMax = 50;
const bodyBytesMax = 10_000;
const dayMs = 86_400_000;

/** What the functions of this file share: the services, with the owner as who makes changes. */
type OwnerServices = Services & ManageServices;

/** Answers every method of the routes of keys. Each request is counted in the minute's reports of its account. */
export async function answerKeys(services: Services, request: HttpRequest): Promise<HttpResult> {
  const caller = ownerOf(request);
  if ('refusal' in caller) return caller;
  const limit = usageReportLimitOf(caller, services.clock.nowMs());
  const refusal = await takeFor(services, [limit], request.requestId);
  if (refusal) return { refusal };
  const ofOwner = { ...services, readPrincipal: async () => caller.keyId };
  const records = await keysOf(services, caller.account);
  if (request.resource === routes.keys)
    return request.method === 'POST'
      ? createKey(ofOwner, request, caller, records)
      : jsonResponse({ keys: await listed(services, caller, records) });
  const record = records.find(({ keyId }) => keyId === request.pathParameters['id']);
  if (!record) return { refusal: { code: 'not_found' } };
  switch (request.method) {
    case 'PATCH':
      return rename(ofOwner, request, record);
    case 'DELETE':
      return revoke(ofOwner, record);
    default:
      return rotate(ofOwner, request, record, records);
  }
}

/** The holder of an owner key, from no page of another site. */
function ownerOf(request: HttpRequest): KeyedCaller | HttpRefusal {
  const caller = keyHolderOf(request);
  if ('refusal' in caller) return caller;
  const origin = request.header('origin');
  if (origin !== undefined && origin !== new URL(request.rootUrl).origin)
    return { refusal: { code: 'origin_not_allowed', isForeign: true } };
  if (caller.role !== 'owner' || caller.kind !== 'live')
    return { refusal: { code: 'credential_not_allowed', isMember: true } };
  return caller;
}

/** Oldest first, with the day of the last 31 on which each was last charged, where the plan counts that. */
async function listed(services: Services, { account, plan }: KeyedCaller, records: readonly KeyRecord[]) {
  const nowMs = services.clock.nowMs();
  const lastUsed = new Map<string, string>();
  if (services.config.PLANS[plan].analytics !== 'totals') {
    const days = Array.from({ length: 31 }, (_, i) => dayWindow(nowMs - (30 - i) * dayMs).label);
    for (const [day, sums] of await usageOfDays(services, account, days))
      for (const counter of Object.keys(sums))
        if (/^[kf]#/.test(counter)) lastUsed.set(counter.slice(2), day);
  }
  return records.map((record) => ownKeyOf(record, lastUsed.get(record.keyId) ?? null));
}

/** @param lastUsedOn day (`yyyy-mm-dd`) on which it was last charged for an image, where that is known */
function ownKeyOf(record: KeyRecord, lastUsedOn: string | null): OwnKey {
  const { keyId, name, publishedAs, mode, role, prefix, createdAt } = record;
  return {
    id: keyId,
    name,
    kind: publishedAs ?? 'api',
    mode,
    role: publishedAs ? null : (role ?? 'member'),
    prefix: prefix ?? keyId,
    createdAt,
    lastUsedOn,
    revokedAt: record.revokedAt ?? null,
    expiresAt: record.expiresAt ?? null,
    origins: record.origins ? [...record.origins] : null,
    maxPerMonth: record.maxPerMonth ?? null,
  };
}

async function createKey(
  services: OwnerServices,
  request: HttpRequest,
  { account, plan }: KeyedCaller,
  records: readonly KeyRecord[],
): Promise<HttpResult> {
  const order = readBody(request, newKeySchema);
  if ('refusal' in order) return order;
  const { name, kind, mode } = order;
  if (order.role === 'owner' && (kind !== 'api' || mode === 'test'))
    return invalidParameter('role', 'member, but for live API keys', 'owner');
  const about = { name, mode, account, plan };
  const limits = order.maxPerMonth === undefined ? {} : { maxPerMonth: order.maxPerMonth };
  const origins = originsIn(order);
  if ('refusal' in origins) return origins;
  if (activeIn(services, records).length >= activeKeysMax) return { refusal: { code: 'too_many_keys' } };
  switch (kind) {
    case 'signer':
      return made(services, { record: await issueSigner(services, about) });
    case 'site':
      return made(
        services,
        await issueSiteKey(services, { ...about, ...origins, maxPerMonth: order.maxPerMonth ?? 0 }),
      );
    case 'api':
      return made(services, await issueKey(services, { ...about, ...limits, role: order.role }));
  }
}

/** The origins of a site key, which has some and a cap; no other kind has either but API keys a cap. */
function originsIn({ kind, mode, origins = [], maxPerMonth }: NewKey) {
  if (kind !== 'site') {
    if (origins.length > 0) return invalidParameter('origins', 'absent, but for site keys');
    if (kind === 'signer' && maxPerMonth !== undefined)
      return invalidParameter('maxPerMonth', 'absent for signers', String(maxPerMonth));
    return { origins: [] };
  }
  if (origins.length === 0) return invalidParameter('origins', 'a list of 1 to 20 origins');
  if (maxPerMonth === undefined) return invalidParameter('maxPerMonth', 'required for site keys');
  const allowed = [];
  for (const [i, origin] of origins.entries()) {
    const read = allowedOriginOf(origin, mode);
    if (typeof read !== 'string')
      return invalidParameter(
        `origins[${i}]`,
        `an origin such as https://example.com: it ${read.fault}`,
        receivedText(origin),
      );
    allowed.push(read);
  }
  return { origins: allowed };
}

async function rename(services: OwnerServices, request: HttpRequest, record: KeyRecord): Promise<HttpResult> {
  const body = readBody(request, renamedKeySchema);
  if ('refusal' in body) return body;
  return jsonResponse(ownKeyOf(await renameKey(services, record, body.name), null));
}

/** The last owner key that has no end stays. */
async function revoke(services: OwnerServices, record: KeyRecord): Promise<HttpResult> {
  const revoked =
    record.role === 'owner' ? await revokeOwner(services, record) : await revokeKey(services, record);
  return revoked ? jsonResponse(ownKeyOf(revoked, null)) : { refusal: { code: 'last_owner' } };
}

/** During the overlap both count as active. */
async function rotate(
  services: OwnerServices,
  request: HttpRequest,
  record: KeyRecord,
  records: readonly KeyRecord[],
): Promise<HttpResult> {
  const body = readBody(request, rotatedKeySchema);
  if ('refusal' in body) return body;
  const { overlapDays } = body;
  const active = activeIn(services, records);
  if (!active.includes(record)) return invalidParameter('id', 'the id of an active credential', record.keyId);
  const left = active.length - (overlapDays === 0 ? 1 : 0);
  if (left >= activeKeysMax) return { refusal: { code: 'too_many_keys' } };
  return made(services, await rotateKey(services, record, overlapDays * dayMs));
}

const activeIn = ({ clock }: Services, records: readonly KeyRecord[]) =>
  records.filter((record) => isUsable(record, clock.nowMs()));

/** The one answer with the secret of a credential. */
async function made({ readMaster, deadline }: Services, { record, key }: Successor): Promise<HttpResult> {
  const secret = key ?? signerSecretOf(await readMaster(deadline), signerIdOf(record.keyId));
  return { ...jsonResponse({ ...ownKeyOf(record, null), secret }), status: 201 };
}

/** A JSON body of a schema; an empty one for none. */
function readBody<S extends z.ZodMiniType>(request: HttpRequest, schema: S): z.infer<S> | HttpRefusal {
  const body = request.body.text ? readJsonBody(request, bodyBytesMax) : { json: {} };
  return 'refusal' in body ? body : readBySchema(body.json, schema);
}
