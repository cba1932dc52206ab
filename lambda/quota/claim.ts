/**
 * Lets the first request of a UTC day pay for an image, by a mark that the others read. Every write here
 * may be sent again.
 *
 *     absent ──claim──▶ claimed ──pay──▶ paid
 *       ▲                  │              │
 *       └─────give up──────┴──────────────┘  once it is known that nothing stays charged
 *
 * The request that claims the mark is charged. All others read it until it is paid, and show the image free.
 */

import { type ItemUpdate, makeItemKey, readItem, type TableServices, updateItem } from '../aws/dynamodb';
import { classifyCallFailure } from '../aws/errors';
import type { ExpiringCache } from '../base/expiring-cache';
import { createPauses } from '../base/retry';
import { tryAndLog } from '../base/telemetry';
import { computeDayWindow, computeTtlS, dayMs } from '../base/window';
import { claimWaitMs, renditionReserveMs } from '../contract/timeouts';
import type { KeyedCaller } from '../credentials/caller';
import type { ChargeRefusal } from '../problems/problem';
import { computeFingerprint, type ImageRequest } from '../requests/image-request';
import type { Limit } from './limit';
import type { PaidImage } from './payment';
import { findRememberedRefusal, type LimitServices } from './take';

/** Identifies the image and day to pay for. Near midnight, the day is the one whose month is charged. */
export function identifyPaidImage(
  { kind, account }: Pick<KeyedCaller, 'kind' | 'account'>,
  request: ImageRequest,
  { window }: Pick<Limit, 'window'>,
  nowMs: number,
): PaidImage {
  const momentMs = Math.min(Math.max(nowMs, window.startMs), window.endsMs - 1);
  const day = computeDayWindow(momentMs);
  const owner = kind === 'test' ? `${account}#test` : account;
  const hash = computeFingerprint({ ...normaliseRequest(request), widthPx: 0, heightPx: 0 });
  return { key: `PAID#${owner}#${hash}#${day.label}`, day };
}

/** Gives all requests for one image the same form. `seed=1` means no seed. `onmiss` acts only without the image. */
function normaliseRequest(request: ImageRequest): ImageRequest {
  if (request.source === 'ai') return request;
  const { onmiss, ...filters } = request.filters;
  return { ...request, filters, seed: request.seed === '1' ? '' : request.seed };
}

/** The mark of an image and day. `by` is the id of the request that claims it; `paid` is set once it has paid. */
interface Mark {
  readonly by?: string;
  readonly paid?: true;
}

export interface ClaimServices extends LimitServices {
  /** The keys of marks whose images are free now: a paid one until its day ends, a card of a gone one for an hour. */
  readonly freeImages: ExpiringCache<true>;
}

/**
 * The outcome of a claim to an image and day.
 * - `claimed`: this request pays.
 * - `paid`: another request has paid.
 * - `unknown`: the claim's answer was lost, or the request that holds it has crashed or hangs. This request is
 *   served for nothing.
 */
export type ClaimOutcome =
  | { readonly outcome: 'claimed' | 'paid' | 'unknown' }
  | { readonly outcome: 'refused'; readonly refusal: ChargeRefusal };

/**
 * Claims an image, or waits until the request that has claimed it has paid or given up. What this instance
 * knows to be paid is not read.
 * @throws when the mark cannot be read, or the table takes no claim now
 */
export async function claimImage(
  services: ClaimServices,
  image: PaidImage,
  { requestId, requestLimits }: { readonly requestId: string; readonly requestLimits: readonly Limit[] },
): Promise<ClaimOutcome> {
  const { clock, deadline, freeImages, tables } = services;
  const endsMs = Math.min(clock.nowMs() + claimWaitMs, deadline.endsMs - renditionReserveMs);
  const pause = createPauses(clock, { firstMs: 100, growth: 1.5, endsMs });
  const readMark = async (): Promise<Mark> =>
    (await readItem(services, makeItemKey(tables.quotaCounters, image.key))) ?? {};
  if (freeImages.get(image.key, clock.nowMs())) return { outcome: 'paid' };
  let mark = await readMark();
  for (;;) {
    if (mark.by === undefined) {
      const refusal = findRememberedRefusal(services, requestLimits);
      if (refusal) return { outcome: 'refused', refusal };
      const claimedMark = await writeMark(services, image, { by: requestId }).catch((error: unknown) => {
        if (classifyCallFailure(error) !== 'unknownOutcome') throw error;
      });
      if (!claimedMark) return { outcome: 'unknown' };
      mark = claimedMark;
    }
    if (mark.paid) {
      freeImages.set(image.key, true, image.day.endsMs);
      return { outcome: 'paid' };
    }
    if (mark.by === requestId) return { outcome: 'claimed' };
    if (!(await pause())) {
      await markStalledClaimPaid(services, image, mark);
      return { outcome: 'unknown' };
    }
    // A read that fails saw no change, and the next one may work.
    mark = await readMark().catch(() => mark);
  }
}

/** Writes the mark of an image if there is none, and returns the mark as it is then. @throws as `writeTable` */
export async function writeMark(
  services: TableServices<'quotaCounters'>,
  { key, day }: PaidImage,
  mark: Mark,
): Promise<Mark> {
  // A mark outlives its day by one, for requests that began before midnight.
  const set = { ...mark, ttl: computeTtlS(day.endsMs + dayMs) };
  const update = { set, onlyIf: 'attribute_not_exists(#by)' };
  return (await updateItem(services, makeItemKey(services.tables.quotaCounters, key), update)).item ?? {};
}

/** Marks an image as paid if the request holds the claim. Never throws. */
export const markClaimPaid = (services: LimitServices, image: PaidImage, requestId: string) =>
  changeClaim(services, image, requestId, { set: { paid: true } });

/** Marks the claim of a request that has crashed or hangs as paid, so that later requests do not wait for it. */
async function markStalledClaimPaid(services: LimitServices, image: PaidImage, { by }: Mark): Promise<void> {
  if (by !== undefined) await markClaimPaid(services, image, by);
}

/** Gives up the claim of a request, once it is known that nothing stays charged. Never throws. */
export const giveUpClaim = (services: LimitServices, image: PaidImage, requestId: string) =>
  changeClaim(services, image, requestId, { remove: ['by', 'paid'] });

async function changeClaim(
  services: LimitServices,
  image: PaidImage,
  requestId: string,
  change: ItemUpdate,
): Promise<void> {
  const update = { ...change, onlyIf: '#by = :by', values: { by: requestId } };
  await tryAndLog(services.telemetry, 'A claim was not changed', () =>
    updateItem(services, makeItemKey(services.tables.quotaCounters, image.key), update),
  );
}
