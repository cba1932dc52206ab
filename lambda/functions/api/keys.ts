/** Routes of `/api/keys`: an owner manages the credentials of its account. */

import type * as z from 'zod/mini';
import { dayMs } from '../../base/window';
import { keyBounds } from '../../contract/request-bounds';
import { isUsable } from '../../credentials/authorize';
import type { KeyedCaller } from '../../credentials/caller';
import type { KeyRecord } from '../../credentials/key-store';
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
import { validateKind, writeOwnKey } from '../../credentials/own-key-requests';
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
  /** Services that record the owner's key as the author of changes. */
  readonly services: Services & ManageServices;
  readonly owner: KeyedCaller;
  readonly records: readonly KeyRecord[];
  readonly activeRecords: readonly KeyRecord[];
}

/** Lists the credentials of the account, oldest first. */
export async function getKeys(services: Services, request: HttpRequest): Promise<HttpResult> {
  const ownerRequest = await readOwnerRequest(services, request);
  if ('refusal' in ownerRequest) return ownerRequest;
  const { owner, records } = ownerRequest;
  const hasDays = services.config.PLANS[owner.plan].analytics !== 'totals';
  const lastUses = hasDays ? await readLastUses(services, owner.account) : undefined;
  return makeJsonResponse({
    keys: records.map((record) => writeOwnKey(record, lastUses?.get(record.keyId))),
  });
}

/** Makes a credential. */
export async function postKey(services: Services, request: HttpRequest): Promise<HttpResult> {
  const ownerRequest = await readOwnerRequest(services, request);
  if ('refusal' in ownerRequest) return ownerRequest;
  const { owner, records, activeRecords } = ownerRequest;
  const body = parseBody(request, newKeySchema);
  if ('refusal' in body) return body;
  const valid = validateKind(body);
  if ('fault' in valid) return { refusal: { code: 'invalid_parameter', faults: [valid.fault] } };
  const order = { ...valid.order, account: owner.account, plan: owner.plan };
  if (activeRecords.length + Number(needsSigner(order, records)) >= keyBounds.activeMax)
    return { refusal: { code: 'too_many_keys' } };
  return respondWithSecret(ownerRequest.services, await issueKey(ownerRequest.services, order));
}

/** Renames a credential. */
export async function patchKey(services: Services, request: HttpRequest): Promise<HttpResult> {
  const keyRequest = await readKeyRequest(services, request);
  if ('refusal' in keyRequest) return keyRequest;
  const body = parseBody(request, renamedKeySchema);
  if ('refusal' in body) return body;
  return makeJsonResponse(
    writeOwnKey(await updateKey(keyRequest.services, keyRequest.record, { name: body.name })),
  );
}

/** Revokes a credential, but not the last owner key without an end. */
export async function deleteKey(services: Services, request: HttpRequest): Promise<HttpResult> {
  const keyRequest = await readKeyRequest(services, request);
  if ('refusal' in keyRequest) return keyRequest;
  const revoke = keyRequest.record.role === 'owner' ? revokeOwner : revokeKey;
  const revoked = await revoke(keyRequest.services, keyRequest.record);
  return revoked ? makeJsonResponse(writeOwnKey(revoked)) : { refusal: { code: 'last_owner' } };
}

/** Replaces a credential by a new one. */
export async function postKeySuccessor(services: Services, request: HttpRequest): Promise<HttpResult> {
  const keyRequest = await readKeyRequest(services, request);
  if ('refusal' in keyRequest) return keyRequest;
  const body = parseBody(request, rotatedKeySchema);
  if ('refusal' in body) return body;
  const { record, activeRecords } = keyRequest;
  if (!activeRecords.includes(record))
    return refuseParameter('id', 'the id of an active credential', record.keyId);
  const keptCount = activeRecords.length - (body.overlapDays === 0 ? 1 : 0);
  if (keptCount >= keyBounds.activeMax) return { refusal: { code: 'too_many_keys' } };
  return respondWithSecret(
    keyRequest.services,
    await rotateKey(keyRequest.services, record, body.overlapDays * dayMs),
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
  const records = await readCurrentKeys(services, owner.account);
  const activeRecords = records.filter((record) => isUsable(record, nowMs));
  const ownerServices = { ...services, readPrincipal: async () => owner.keyId };
  return { services: ownerServices, owner, records, activeRecords };
}

/** Reads a request of an owner, and the credential of its account that the path names. */
async function readKeyRequest(
  services: Services,
  request: HttpRequest,
): Promise<(OwnerRequest & { readonly record: KeyRecord }) | HttpRefusal> {
  const ownerRequest = await readOwnerRequest(services, request);
  if ('refusal' in ownerRequest) return ownerRequest;
  const record = ownerRequest.records.find(({ keyId }) => keyId === request.pathParameters['id']);
  return record ? { ...ownerRequest, record } : { refusal: { code: 'not_found' } };
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
async function respondWithSecret(services: Services, { record, key }: IssuedKey): Promise<HttpResult> {
  await awaitListing(services, record);
  const secret = key || writeSignerSecret(await services.readMaster(services.deadline), record.keyId);
  return { ...makeJsonResponse({ ...writeOwnKey(record), secret }), status: 201 };
}

/** Reads the JSON body by a schema. A missing body counts as `{}`. */
function parseBody<S extends z.ZodMiniType>(request: HttpRequest, schema: S): z.infer<S> | HttpRefusal {
  const body = request.body.text ? readJsonBody(request, bodyBytesMax) : { json: {} };
  return 'refusal' in body ? body : readBySchema(body.json, schema);
}
