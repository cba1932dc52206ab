/** Publishes what a caller with an API key is told: URLs that every visitor may load, signed for its account. */

import { orLogged } from '../base/or-logged';
import { anonymousRequestsPerHour } from '../contract/plans';
import { validKeyHash } from '../credentials/api-key';
import { isUsable } from '../credentials/authorize';
import type { KeyedCaller } from '../credentials/caller';
import { type KeyRecord, keysOf } from '../credentials/key-store';
import { signerKeyOf } from '../credentials/signer';
import { type HttpRefusal, invalidParameter } from '../http/http-response';
import type { Answer } from '../images/answer';
import { receivedText } from '../problems/received';
import { markPaid, paidImageOf } from '../quota/claim';
import type { Limit } from '../quota/limit';
import { type ImageRequest, plainRequest } from '../requests/image-request';
import type { Services } from '../services';
import type { UrlCredential } from './image-urls';

/** How a caller wants URLs published, as it was given. */
export interface PublishOrder {
  /** `true` (the default) for the account's own signer, `false` for plain URLs, or the credential to publish with. */
  readonly publish?: boolean | string | undefined;
}

/** How the URLs of a record are published. */
export interface Published {
  /** Absent for plain URLs, which are no markup for a page. */
  readonly credential?: UrlCredential;
  /** Why there is no markup; `null` where there is. */
  readonly note: string | null;
}

/** How long an account's credentials are known without another read, in milliseconds: half of what a revocation may take. */
const cachedForMs = 30_000;

/** How the URLs that a call returns are published. @throws when the table or the secret cannot be read; nothing was charged then */
export async function publishAs(
  services: Services,
  caller: KeyedCaller,
  { publish = true }: PublishOrder,
): Promise<Published | HttpRefusal> {
  if (publish === false) return { note: unpublished('publish is false') };
  if (typeof publish === 'string') {
    const hash = validKeyHash('site', publish);
    const isNamed = ({ publishedAs, keyId, hash: own }: KeyRecord) =>
      publishedAs === 'signer' ? keyId === publish : publishedAs === 'site' && own === hash;
    const record = await newestCredential(services, caller, isNamed);
    if (!record) return invalidParameter('publish', publishBounds, receivedText(publish));
    if (record.publishedAs === 'signer') return publishedBySigner(services, record);
    return { credential: { kind: 'site', key: publish }, note: null };
  }
  const signer = await newestCredential(services, caller, ({ publishedAs }) => publishedAs === 'signer');
  if (signer) return publishedBySigner(services, signer);
  const test = caller.kind === 'test' ? ' --test' : '';
  const command = `npm run keys -- signer create --account ${caller.account}${test}`;
  const note = unpublished(
    `the account has no active ${caller.kind} signer; the operator makes one with: ${command}`,
  );
  return { note };
}

/** The newest of an account's usable credentials of a key's kind that meets a condition. */
async function newestCredential(
  services: Services,
  { account, kind }: KeyedCaller,
  meets: (record: KeyRecord) => boolean,
): Promise<KeyRecord | undefined> {
  const { credentials } = services.publishing;
  const nowMs = services.clock.nowMs();
  const isMeant = (each: KeyRecord) => each.mode === kind && isUsable(each, nowMs) && meets(each);
  const record = credentials.get(account, nowMs)?.filter(isMeant).at(-1);
  if (record) return record;
  // One that was just made is looked for at once.
  const records = await keysOf(services, account);
  credentials.set(account, records, nowMs + cachedForMs);
  return records.filter(isMeant).at(-1);
}

async function publishedBySigner(
  { readMaster, deadline }: Services,
  { keyId: signerId }: KeyRecord,
): Promise<Published> {
  const signing = { signerId, key: signerKeyOf(await readMaster(deadline), signerId) };
  return { credential: { kind: 'signed', signing, isOwn: true }, note: null };
}

/**
 * Remembers that a call has paid for the views of a served image until the end of the day: what cannot be marked is
 * charged to its first view. Never throws.
 */
export async function notePublished(
  services: Services,
  answer: Answer,
  caller: KeyedCaller,
  request: ImageRequest | undefined,
  quota: Limit,
): Promise<void> {
  if (answer.outcome !== 'served') return;
  const { pick, fallback } = answer.image;
  if (pick === undefined || fallback === 'gone') return;
  const { filters: { crop } = {} } = request && 'filters' in request ? request : {};
  const shown = { ...plainRequest, pick, filters: { ...(crop && { crop }) } };
  const { clock, telemetry, paidToday, ids } = services;
  const paid = paidImageOf(caller, shown, quota, clock.nowMs());
  if (paidToday.get(paid.key, clock.nowMs())) return;
  await orLogged(telemetry, 'The views of a published image were not marked as paid', async () => {
    await markPaid(services, paid, ids.hex(8));
    paidToday.set(paid.key, true, paid.day.endMs);
  });
}

const publishBounds =
  'true, false, or the id of an active signer or a site key of the account, live or test as the key is';

/** The order in parameters of a URL, which the parser has judged. */
export function publishOrderOf(
  values: Readonly<Record<string, readonly string[] | undefined>>,
): PublishOrder {
  const [publish] = values['publish'] ?? [];
  return { publish: publish === 'true' || publish === 'false' ? publish === 'true' : publish };
}

function unpublished(reason: string): string {
  return `Not published: ${reason}. The URLs carry no credential: each visitor has ${anonymousRequestsPerHour} requests per hour.`;
}
