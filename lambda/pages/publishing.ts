/** Publishes what a caller with an API key is told: URLs that every visitor may load, signed for its account. */

import type { Clock } from '../base/clock';
import { createExpiringCache } from '../base/expiring-cache';
import { orLogged } from '../base/or-logged';
import type { Telemetry } from '../base/telemetry';
import { anonymousRequestsPerHour } from '../contract/plans';
import type { KeyRecord } from '../credentials/api-keys';
import { isUsable } from '../credentials/authorize';
import type { KeyedCaller } from '../credentials/caller';
import { signerIdOf, signerKeyOf } from '../credentials/signer';
import { readSiteKey } from '../credentials/site-key';
import { type HttpRefusal, invalidParameter } from '../http/http-response';
import type { Answer } from '../images/answer';
import { receivedText } from '../problems/received';
import { type PaidImages, paidImageOf } from '../quota/paid-images';
import type { Limit } from '../quota/quota';
import { type ImageRequest, plainRequest } from '../requests/image-request';
import type { UrlCredential } from './image-urls';

/** How a caller wants URLs published, as it was given. */
export interface PublishOrder {
  /** By its account's own signer, unless it says otherwise: `false`, or the credential to publish with. */
  readonly publish?: boolean | string | undefined;
}

/** How the URLs of a record are published. */
export interface Published {
  /** Absent for plain URLs, which are no markup for a page. */
  readonly credential?: UrlCredential;
  /** Why there is no markup; `null` where there is. */
  readonly note: string | null;
}

/** Publishes what calls return. */
export interface Publishing {
  /** @throws when the table or the secret cannot be read; nothing was charged then */
  resolve(caller: KeyedCaller, order: PublishOrder): Promise<Published | HttpRefusal>;
  /**
   * Remembers that the call has paid for the views of a served image until the end of the day: what cannot be marked is
   * charged to its first view.
   */
  note(answer: Answer, caller: KeyedCaller, request: ImageRequest | undefined, quota: Limit): Promise<void>;
}

/** The credentials of accounts, and where it is noted what was published. */
export interface PublishingDeps {
  /** All credentials of an account. */
  readonly credentialsOf: (account: KeyedCaller['account']) => Promise<readonly KeyRecord[]>;
  /** The secret from which the keys of all signers are derived. @throws when it cannot be read in time */
  readonly readMaster: () => Promise<string>;
  readonly paidImages: Pick<PaidImages, 'mark'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly telemetry: Pick<Telemetry, 'error'>;
}

/** How long an account's credentials are known without another read, in milliseconds: half of what a revocation may take. */
const cachedForMs = 30_000;
const accountsRememberedMax = 2_000;
const marksRememberedMax = 5_000;

/** An account's credentials are known for 30 seconds without another read. */
export function createPublishing(deps: PublishingDeps): Publishing {
  const { credentialsOf, readMaster, paidImages, clock, telemetry } = deps;
  const cached = createExpiringCache<readonly KeyRecord[]>(accountsRememberedMax);
  const marked = createExpiringCache<true>(marksRememberedMax);

  /** The newest of an account's usable credentials of a key's kind that meets a condition. */
  const newest = async (
    { account, kind }: KeyedCaller,
    meets: (record: KeyRecord) => boolean,
  ): Promise<KeyRecord | undefined> => {
    const nowMs = clock.nowMs();
    const isMeant = (each: KeyRecord) => each.mode === kind && isUsable(each, nowMs) && meets(each);
    const record = cached.get(account, nowMs)?.filter(isMeant).at(-1);
    if (record) return record;
    // One that was just made is looked for at once.
    const records = await credentialsOf(account);
    cached.set(account, records, nowMs + cachedForMs);
    return records.filter(isMeant).at(-1);
  };

  const signed = async ({ keyId }: KeyRecord): Promise<Published> => {
    const signerId = signerIdOf(keyId);
    const signing = { signerId, key: signerKeyOf(await readMaster(), signerId) };
    return { credential: { kind: 'signed', signing, isOwn: true }, note: null };
  };

  return {
    async resolve(caller, { publish = true }) {
      if (publish === false) return { note: unpublished('publish is false') };
      if (typeof publish === 'string') {
        const hash = readSiteKey(publish);
        const isNamed = ({ publishedAs, keyId, hash: own }: KeyRecord) =>
          publishedAs === 'signer' ? keyId === publish : publishedAs === 'site' && own === hash;
        const record = await newest(caller, isNamed);
        if (!record) return invalidParameter('publish', publishBounds, receivedText(publish));
        if (record.publishedAs === 'signer') return signed(record);
        return { credential: { kind: 'site', key: publish }, note: null };
      }
      const signer = await newest(caller, ({ publishedAs }) => publishedAs === 'signer');
      if (signer) return signed(signer);
      const test = caller.kind === 'test' ? ' --test' : '';
      const command = `npm run keys -- signer create --account ${caller.account}${test}`;
      const note = unpublished(
        `the account has no active ${caller.kind} signer; the operator makes one with: ${command}`,
      );
      return { note };
    },

    async note(answer, caller, request, quota) {
      if (answer.outcome !== 'served') return;
      const { pick, fallback } = answer.image;
      if (pick === undefined || fallback === 'gone') return;
      const { filters: { crop } = {} } = request && 'filters' in request ? request : {};
      const shown = { ...plainRequest, pick, filters: { ...(crop && { crop }) } };
      const paid = paidImageOf(caller, shown, quota, clock.nowMs());
      if (marked.get(paid.key, clock.nowMs())) return;
      await orLogged(telemetry, 'The views of a published image were not marked as paid', async () => {
        await paidImages.mark(paid);
        marked.set(paid.key, true, paid.day.endMs);
      });
    },
  };
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
