/** Routes of `/api/keys`: an owner manages the credentials of its account. */

import type * as z from 'zod/mini';
import { dayMs, dayWindow } from '../../base/window';
import { keyBounds } from '../../contract/request-bounds';
import { isUsable } from '../../credentials/authorize';
import type { KeyedCaller } from '../../credentials/caller';
import { type KeyRecord, readAccountKeys } from '../../credentials/key-store';
import {
  bringsSigner,
  type IssuedKey,
  issueKey,
  type ManageServices,
  revokeKey,
  revokeOwner,
  rotateKey,
  updateKey,
} from '../../credentials/manage-keys';
import {
  type NewKey,
  newKeySchema,
  type OwnKey,
  originsBounds,
  renamedKeySchema,
  rotatedKeySchema,
} from '../../credentials/own-keys';
import { writeSignerSecret } from '../../credentials/signer';
import { type AllowedOrigin, originForm, readAllowedOrigin } from '../../credentials/site-key';
import { type HttpRequest, requireKeyHolder } from '../../http/http-request';
import { type HttpRefusal, type HttpResult, invalidParameter, jsonResponse } from '../../http/http-response';
import { readBySchema, readJsonBody } from '../../http/read-body';
import { receivedText } from '../../problems/received';
import { selfServiceLimitOf } from '../../quota/caller-limits';
import { takeOrRefuse } from '../../quota/take';
import { usageOfDays } from '../../quota/usage/report-usage';
import type { Services } from '../../services/services';

const bodyBytesMax = 10_000;

/** The services, with the owner as who makes the changes. */
type OwnerServices = Services & ManageServices;

/** A request of an owner. */
interface OwnerCall {
  readonly services: OwnerServices;
  readonly request: HttpRequest;
  readonly owner: KeyedCaller;
  /** The credentials of its account. */
  readonly records: readonly KeyRecord[];
  readonly active: readonly KeyRecord[];
}

/** Makes a route for owners, which shares a limit per minute with reports of usage. */
const forOwner =
  (answer: (call: OwnerCall) => Promise<HttpResult>) =>
  async (services: Services, request: HttpRequest): Promise<HttpResult> => {
    const owner = ownerCaller(request);
    if ('refusal' in owner) return owner;
    const limit = selfServiceLimitOf(owner, services.clock.nowMs());
    const refusal = await takeOrRefuse(services, [limit], request.requestId);
    if (refusal) return { refusal };
    const ownerServices: OwnerServices = { ...services, readPrincipal: async () => owner.keyId };
    const records = await readAccountKeys(services, owner.account);
    const active = records.filter((record) => isUsable(record, services.clock.nowMs()));
    return answer({ services: ownerServices, request, owner, records, active });
  };

/** Makes a route for the credential that the path names. */
const forKey = (answer: (call: OwnerCall, record: KeyRecord) => Promise<HttpResult>) =>
  forOwner(async (call) => {
    const record = call.records.find(({ keyId }) => keyId === call.request.pathParameters['id']);
    return record ? answer(call, record) : { refusal: { code: 'not_found' } };
  });

/** Lists the credentials of the account. */
export const getKeys = forOwner(async ({ services, owner, records }) =>
  jsonResponse({ keys: await listKeys(services, owner, records) }),
);

/** Makes a credential. */
export const postKey = forOwner(async ({ services, request, owner: { account, plan }, records, active }) => {
  const order = parseBody(request, newKeySchema);
  if ('refusal' in order) return order;
  const { name, kind, mode, role, maxPerMonth } = order;
  const origins = originsIn(order);
  if ('refusal' in origins) return origins;
  const publishedAs = kind === 'api' ? undefined : kind;
  const keyOrder = { name, mode, account, plan, publishedAs, role, maxPerMonth, ...origins };
  if (active.length + Number(bringsSigner(keyOrder, records)) >= keyBounds.activeMax)
    return { refusal: { code: 'too_many_keys' } };
  return answerMade(services, await issueKey(services, keyOrder));
});

/** Renames a credential. */
export const patchKey = forKey(async ({ services, request }, record) => {
  const body = parseBody(request, renamedKeySchema);
  if ('refusal' in body) return body;
  return jsonResponse(ownKeyOf(await updateKey(services, record, { name: body.name })));
});

/** Revokes a credential, but not the last owner key without an end. */
export const deleteKey = forKey(async ({ services }, record) => {
  const revoke = record.role === 'owner' ? revokeOwner : revokeKey;
  const revoked = await revoke(services, record);
  return revoked ? jsonResponse(ownKeyOf(revoked)) : { refusal: { code: 'last_owner' } };
});

/** Replaces a credential by a new one. */
export const postKeySuccessor = forKey(async ({ services, request, active }, record) => {
  const body = parseBody(request, rotatedKeySchema);
  if ('refusal' in body) return body;
  const { overlapDays } = body;
  if (!active.includes(record)) return invalidParameter('id', 'the id of an active credential', record.keyId);
  if (active.length - (overlapDays === 0 ? 1 : 0) >= keyBounds.activeMax)
    return { refusal: { code: 'too_many_keys' } };
  return answerMade(services, await rotateKey(services, record, overlapDays * dayMs));
});

const foreignPage = 'Keys are managed by pages of this service alone, or without a page.';
const noOwner = 'Keys are managed with an owner key of the account: a live API key whose role is owner.';

/** Reads the holder of an owner key, and refuses a page of another site. */
function ownerCaller(request: HttpRequest): KeyedCaller | HttpRefusal {
  const caller = requireKeyHolder(request);
  if ('refusal' in caller) return caller;
  const origin = request.header('origin');
  if (origin !== undefined && origin !== new URL(request.rootUrl).origin)
    return { refusal: { code: 'origin_not_allowed', detail: foreignPage } };
  if (caller.role !== 'owner' || caller.kind !== 'live')
    return { refusal: { code: 'credential_not_allowed', detail: noOwner } };
  return caller;
}

/** Lists the credentials of an account, oldest first, with their last day of use where the plan counts it. */
async function listKeys(
  services: Services,
  { account, plan }: KeyedCaller,
  records: readonly KeyRecord[],
): Promise<readonly OwnKey[]> {
  const nowMs = services.clock.nowMs();
  const lastUsed = new Map<string, string>();
  if (services.config.PLANS[plan].analytics !== 'totals') {
    const days = Array.from({ length: 31 }, (_, i) => dayWindow(nowMs - (30 - i) * dayMs).label);
    for (const [day, sums] of await usageOfDays(services, account, days))
      for (const counter of Object.keys(sums))
        if (/^[kf]#/.test(counter)) lastUsed.set(counter.slice(2), day);
  }
  return records.map((record) => ownKeyOf(record, lastUsed.get(record.keyId)));
}

/** Shows a key to its owner. @param lastUsedOn day (`yyyy-mm-dd`) of its last charge; null where unknown */
function ownKeyOf(record: KeyRecord, lastUsedOn: string | null = null): OwnKey {
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

/** Checks what belongs to a kind: origins and a cap to site keys, a role to API keys, no cap to signers. */
function originsIn(order: NewKey): Pick<KeyRecord, 'origins'> | HttpRefusal {
  const { kind, mode, role, origins = [], maxPerMonth } = order;
  if (role === 'owner' && (kind !== 'api' || mode === 'test'))
    return invalidParameter('role', 'member, but for live API keys', role);
  if (kind === 'signer' && maxPerMonth !== undefined)
    return invalidParameter('maxPerMonth', 'absent for signers', String(maxPerMonth));
  if (kind !== 'site') return order.origins ? invalidParameter('origins', 'absent, but for site keys') : {};
  if (!order.origins) return invalidParameter('origins', originsBounds);
  if (maxPerMonth === undefined) return invalidParameter('maxPerMonth', 'required for site keys');
  const allowed = origins.map((origin) => readAllowedOrigin(origin, mode));
  const wrong = allowed.indexOf(undefined);
  if (wrong < 0) return { origins: allowed as AllowedOrigin[] };
  return invalidParameter(`origins[${wrong}]`, originForm, receivedText(origins[wrong] ?? ''));
}

/** Answers with the secret, which no later answer has. */
async function answerMade(
  { readMaster, deadline }: Services,
  { record, key }: IssuedKey,
): Promise<HttpResult> {
  const secret = key || writeSignerSecret(await readMaster(deadline), record.keyId);
  return { ...jsonResponse({ ...ownKeyOf(record), secret }), status: 201 };
}

/** Reads the JSON body by a schema; a missing body counts as `{}`. */
function parseBody<S extends z.ZodMiniType>(request: HttpRequest, schema: S): z.infer<S> | HttpRefusal {
  const body = request.body.text ? readJsonBody(request, bodyBytesMax) : { json: {} };
  return 'refusal' in body ? body : readBySchema(body.json, schema);
}
