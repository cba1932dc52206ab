/** Routes of `/api/keys`: an owner manages the credentials of its account. */

import type * as z from 'zod/mini';
import { dayMs } from '../../base/window';
import { keyBounds } from '../../contract/request-bounds';
import { isUsable } from '../../credentials/authorize';
import type { KeyedCaller } from '../../credentials/caller';
import type { StoredKey } from '../../credentials/key-store';
import {
  awaitListing,
  type IssuedKey,
  issueKey,
  type ManageServices,
  needsSigner,
  readCurrentKeys,
  revokeKey,
  revokeOwner,
  rotateKey,
  updateKey,
} from '../../credentials/manage-keys';
import { makeOwnKey, validateNewKey } from '../../credentials/own-key-requests';
import { newKeySchema, renamedKeySchema, rotatedKeySchema } from '../../credentials/own-keys';
import { writeSignerSecret } from '../../credentials/signer';
import { type HttpRequest, requireKeyHolder } from '../../http/http-request';
import {
  type HttpRefusal,
  type HttpResult,
  makeJsonResponse,
  refuseParameter,
} from '../../http/http-response';
import { readBySchema, readJsonBody } from '../../http/read-body';
import { readLastUses } from '../../quota/usage/report-usage';
import type { Services } from '../../services/services';
import { takeSelfServiceUnit } from './self-service';

const bodyBytesMax = 10_000;

/** A request of an owner, with the credentials of its account. */
interface OwnerRequest {
  /** Services that note the owner's key as the author of changes. */
  readonly services: Services & ManageServices;
  readonly owner: KeyedCaller;
  readonly keys: readonly StoredKey[];
  readonly activeKeys: readonly StoredKey[];
}

/** Lists the credentials of the account, oldest first. */
export async function getKeys(services: Services, request: HttpRequest): Promise<HttpResult> {
  const ownerRequest = await readOwnerRequest(services, request);
  if ('refusal' in ownerRequest) return ownerRequest;
  const { owner, keys } = ownerRequest;
  const hasDays = services.config.PLANS[owner.plan].analytics !== 'totals';
  const lastUses = hasDays ? await readLastUses(services, owner.account) : undefined;
  return makeJsonResponse({ keys: keys.map((key) => makeOwnKey(key, lastUses?.get(key.keyId))) });
}

/** Issues a credential. */
export async function postKey(services: Services, request: HttpRequest): Promise<HttpResult> {
  const ownerRequest = await readOwnerRequest(services, request);
  if ('refusal' in ownerRequest) return ownerRequest;
  const { owner, keys, activeKeys } = ownerRequest;
  const body = readKeyBody(request, newKeySchema);
  if ('refusal' in body) return body;
  const result = validateNewKey(body);
  if ('fault' in result) return { refusal: { code: 'invalid_parameter', faults: [result.fault] } };
  const keyRequest = { ...result.request, account: owner.account, plan: owner.plan };
  if (activeKeys.length + Number(needsSigner(keyRequest, keys)) >= keyBounds.activeMax)
    return { refusal: { code: 'too_many_keys' } };
  return respondWithSecret(ownerRequest.services, await issueKey(ownerRequest.services, keyRequest));
}

/** Renames a credential. */
export async function patchKey(services: Services, request: HttpRequest): Promise<HttpResult> {
  const keyRequest = await readKeyRequest(services, request);
  if ('refusal' in keyRequest) return keyRequest;
  const body = readKeyBody(request, renamedKeySchema);
  if ('refusal' in body) return body;
  return makeJsonResponse(
    makeOwnKey(await updateKey(keyRequest.services, keyRequest.key, { name: body.name })),
  );
}

/** Revokes a credential, but not the last owner key without an end. */
export async function deleteKey(services: Services, request: HttpRequest): Promise<HttpResult> {
  const keyRequest = await readKeyRequest(services, request);
  if ('refusal' in keyRequest) return keyRequest;
  const revoke = keyRequest.key.role === 'owner' ? revokeOwner : revokeKey;
  const revokedKey = await revoke(keyRequest.services, keyRequest.key);
  return revokedKey ? makeJsonResponse(makeOwnKey(revokedKey)) : { refusal: { code: 'last_owner' } };
}

/** Replaces a credential by a new one. */
export async function postKeySuccessor(services: Services, request: HttpRequest): Promise<HttpResult> {
  const keyRequest = await readKeyRequest(services, request);
  if ('refusal' in keyRequest) return keyRequest;
  const body = readKeyBody(request, rotatedKeySchema);
  if ('refusal' in body) return body;
  const { key, activeKeys } = keyRequest;
  if (!activeKeys.includes(key)) return refuseParameter('id', 'the id of an active credential', key.keyId);
  const keptCount = activeKeys.length - (body.overlapDays === 0 ? 1 : 0);
  if (keptCount >= keyBounds.activeMax) return { refusal: { code: 'too_many_keys' } };
  return respondWithSecret(
    keyRequest.services,
    await rotateKey(keyRequest.services, key, body.overlapDays * dayMs),
  );
}

/** Reads a request of an owner. It counts in the same minute as requests for usage. */
async function readOwnerRequest(
  services: Services,
  request: HttpRequest,
): Promise<OwnerRequest | HttpRefusal> {
  const owner = requireOwner(request);
  if ('refusal' in owner) return owner;
  const refusal = await takeSelfServiceUnit(services, owner, request);
  if (refusal) return refusal;
  const nowMs = services.clock.nowMs();
  const keys = await readCurrentKeys(services, owner.account);
  const activeKeys = keys.filter((key) => isUsable(key, nowMs));
  const ownerServices = { ...services, readPrincipal: async () => owner.keyId };
  return { services: ownerServices, owner, keys, activeKeys };
}

/** Reads a request of an owner, and the credential of its account that the path names. */
async function readKeyRequest(
  services: Services,
  request: HttpRequest,
): Promise<(OwnerRequest & { readonly key: StoredKey }) | HttpRefusal> {
  const ownerRequest = await readOwnerRequest(services, request);
  if ('refusal' in ownerRequest) return ownerRequest;
  const key = ownerRequest.keys.find(({ keyId }) => keyId === request.pathParameters['id']);
  return key ? { ...ownerRequest, key } : { refusal: { code: 'not_found' } };
}

const foreignPage = 'Keys are managed by pages of this service alone, or without a page.';
const noOwner = 'Keys are managed with an owner key of the account: a live API key whose role is owner.';

/** Refuses callers without an owner key, and pages of other sites. */
function requireOwner(request: HttpRequest): KeyedCaller | HttpRefusal {
  const caller = requireKeyHolder(request);
  if ('refusal' in caller) return caller;
  const origin = request.getHeader('origin');
  if (origin !== undefined && origin !== new URL(request.rootUrl).origin)
    return { refusal: { code: 'origin_not_allowed', detail: foreignPage } };
  if (caller.role !== 'owner' || caller.kind !== 'live')
    return { refusal: { code: 'credential_not_allowed', detail: noOwner } };
  return caller;
}

/** Responds with the secret when the account's list shows the credential. No later response has the secret. */
async function respondWithSecret(services: Services, issued: IssuedKey): Promise<HttpResult> {
  const { key } = issued;
  await awaitListing(services, key);
  const readMaster = () => services.readMaster(services.deadline);
  const secret = issued.secret || writeSignerSecret(await readMaster(), key.keyId);
  return { ...makeJsonResponse({ ...makeOwnKey(key), secret }), status: 201 };
}

/** Reads a JSON body by a schema. A missing body counts as `{}`. */
function readKeyBody<S extends z.ZodMiniType>(request: HttpRequest, schema: S): z.infer<S> | HttpRefusal {
  const body = request.body.text ? readJsonBody(request, bodyBytesMax) : { json: {} };
  return 'refusal' in body ? body : readBySchema(body.json, schema);
}
