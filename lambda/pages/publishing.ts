/** Finds the signer or site key for the URLs of a record, and marks the views of its image as paid. */

import { tryAndLog } from '../base/telemetry';
import { routes } from '../contract/routes';
import { hashValidKey } from '../credentials/api-key';
import { isUsable, keyTtlMs } from '../credentials/authorize';
import type { KeyedCaller } from '../credentials/caller';
import { readAccountKeys, type StoredKey } from '../credentials/key-store';
import { deriveSignerKey } from '../credentials/signer';
import { type HttpRefusal, refuseParameter } from '../http/http-response';
import { nameOperator } from '../problems/problem';
import { writeReceived } from '../problems/received';
import { identifyPaidImage, writeMark } from '../quota/claim';
import type { Limit } from '../quota/limit';
import type { ImageRequest } from '../requests/image-request';
import type { Services } from '../services/services';
import { readKeyIssuer } from '../services/settings';
import type { Answer } from '../serving/answer';
import { makePickRequest, type UrlCredential } from './image-urls';

/** The parameter `publish` as a caller gives it. */
export interface PublishParameter {
  /** `true` (the default) is the newest signer, `false` plain URLs, and a text a signer's id or a site key. */
  readonly publish?: boolean | string | undefined;
}

/** The right by which visitors of a page load the URLs of a record. */
export interface UrlAccess {
  /** The credential in the URLs. Absent for plain URLs, with which a record has no markup. */
  readonly credential?: UrlCredential;
  readonly note: string | null;
}

/** Finds the credential that `publish` names. @throws when table or secret cannot be read */
export async function findUrlAccess(
  services: Services,
  caller: KeyedCaller,
  { publish = true }: PublishParameter,
): Promise<UrlAccess | HttpRefusal> {
  if (publish === false) return { note: writePlainNote('publish is false') };
  if (typeof publish === 'string') {
    const hash = hashValidKey('site', publish);
    const hasPublishValue = (key: StoredKey) =>
      key.publishedAs === 'signer' ? key.keyId === publish : key.publishedAs === 'site' && key.hash === hash;
    const key = await findNewestKey(services, caller, hasPublishValue);
    if (!key) return refuseParameter('publish', publishBounds, writeReceived(publish));
    if (key.publishedAs === 'signer') return makeSignerAccess(services, key);
    return { credential: { kind: 'site', key: publish }, note: null };
  }
  const signer = await findNewestKey(services, caller, ({ publishedAs }) => publishedAs === 'signer');
  if (signer) return makeSignerAccess(services, signer);
  const command = `npm run keys -- signer create --account ${caller.account}${caller.kind === 'test' ? ' --test' : ''}`;
  const operator = nameOperator(readKeyIssuer(services.config), command);
  const makers = `an owner key makes one on ${routes.accountPage}, or ${operator}`;
  return { note: writePlainNote(`the account has no active ${caller.kind} signer; ${makers}`) };
}

async function findNewestKey(
  services: Services,
  { account, kind }: KeyedCaller,
  isMatch: (key: StoredKey) => boolean,
): Promise<StoredKey | undefined> {
  const { credentialsByAccount } = services;
  const nowMs = services.clock.nowMs();
  const isUsableMatch = (key: StoredKey) => key.mode === kind && isUsable(key, nowMs) && isMatch(key);
  const rememberedKey = credentialsByAccount.get(account, nowMs)?.findLast(isUsableMatch);
  if (rememberedKey) return rememberedKey;
  // The key may be newer than the remembered list.
  const keys = await readAccountKeys(services, account);
  credentialsByAccount.set(account, keys, nowMs + keyTtlMs);
  return keys.findLast(isUsableMatch);
}

async function makeSignerAccess(
  { readMaster, deadline }: Services,
  { keyId: signerId }: StoredKey,
): Promise<UrlAccess> {
  const signing = { signerId, key: deriveSignerKey(await readMaster(deadline), signerId) };
  return { credential: { kind: 'signed', signing, isByService: true }, note: null };
}

/**
 * Marks the views of a served image as paid until the end of the day, also if its record was free by rule. If
 * the mark is not written, the first view is charged. Never throws.
 */
export async function markViewsPaid(
  services: Services,
  answer: Answer,
  caller: KeyedCaller,
  request: ImageRequest | undefined,
  quota: Limit,
): Promise<void> {
  if (answer.outcome !== 'served') return;
  const { image } = answer;
  if (image.pick === undefined || image.fallback === 'gone') return;
  const { clock, telemetry, freeImages, ids } = services;
  const paidImage = identifyPaidImage(caller, makePickRequest(image, request), quota, clock.nowMs());
  if (freeImages.get(paidImage.key, clock.nowMs())) return;
  await tryAndLog(telemetry, 'The views of a published image were not marked as paid', async () => {
    await writeMark(services, paidImage, { by: ids.makeHex(8), paid: true });
    freeImages.set(paidImage.key, true, paidImage.day.endsMs);
  });
}

const publishBounds =
  'true, false, or the id of an active signer or a site key of the account, live or test as the key is';

/** Reads `publish` in the parameters of a URL, which the parser has checked. */
export function readPublishParameter(
  query: Readonly<Record<string, readonly string[] | undefined>>,
): PublishParameter {
  const [publish] = query['publish'] ?? [];
  return { publish: publish === 'true' || publish === 'false' ? publish === 'true' : publish };
}

/** The note on URLs without a credential. */
export const plainUrlsNote =
  'The URLs carry no credential: they count against the limit of callers without a key.';

const writePlainNote = (reason: string) => `Not published: ${reason}. ${plainUrlsNote}`;
