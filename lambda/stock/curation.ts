/** What an operator or an account has decided about images: photographs of their own, and images that were taken down. */

import type { Clock } from '../base/clock';
import { createExpiringCache } from '../base/expiring-cache';
import type { StockMemory } from '../base/item-store';
import type { Telemetry } from '../base/telemetry';
import type { OwnPhotos, StockRequest } from '../requests/image-request';

/** What is decided for one account, or for everybody. */
export interface Curation {
  /** The index of their photographs; empty without any. */
  readonly photos: OwnPhotos['files'];
  /** Whether any account has a curation of its own; only in everybody's. */
  readonly hasAccounts: boolean;
  /** Picks of images that the operator has removed, oldest first; only in everybody's. */
  readonly removed: readonly string[];
}

/** Under which account everybody's curation stands. */
export const everybody = 'all';

/** How long an instance relies on what it has read, in milliseconds: a change is seen everywhere after it. */
export const curationSeenMs = 1_000;

export const noCuration: Curation = { photos: [], hasAccounts: false, removed: [] };
const accountsRememberedMax = 5_000;

/** Key of the item of the stock memory that holds a curation. @param owner an account's id, or `everybody` */
export function curationKey(owner: string): string {
  return `CURATION#${owner}`;
}

export interface Curations {
  /** @param owner an account's id, or `everybody` @throws when the table does not answer */
  read(owner: string): Promise<Curation>;
  /** What this instance has read last, however long ago; nothing before it has. */
  lastSeen(owner: string): Curation;
}

export function createCurations(
  stockMemory: Pick<StockMemory, 'read'>,
  { nowMs }: Pick<Clock, 'nowMs'>,
): Curations {
  const seen = createExpiringCache<{ readonly curation: Curation; readonly readMs: number }>(
    accountsRememberedMax,
  );
  return {
    lastSeen: (owner) => seen.get(owner, 0)?.curation ?? noCuration,
    async read(owner) {
      const cached = seen.get(owner, 0);
      if (cached && nowMs() < cached.readMs + curationSeenMs) return cached.curation;
      const curation = { ...noCuration, ...(await stockMemory.read<Curation>(curationKey(owner)))?.value };
      seen.set(owner, { curation, readMs: nowMs() }, Number.MAX_SAFE_INTEGER);
      return curation;
    },
  };
}

/** What a request may show of the operator's own photographs, and what it may not show of all images. */
export interface VisiblePhotos {
  /** The request with what this instance saw last, without a call. */
  lastSeen(request: StockRequest, account: string | undefined): StockRequest;
  /** The request with what holds now, or with what was seen last while the table does not answer. Never throws. */
  added(request: StockRequest, account: string | undefined): Promise<StockRequest>;
}

export function createVisiblePhotos(
  curations: Pick<Curations, 'read' | 'lastSeen'>,
  telemetry: Telemetry,
): VisiblePhotos {
  const withPhotos = (request: StockRequest, ofAll: Curation, own: Curation, account?: string) => {
    const photos = [
      ...(own.photos.length > 0 && account !== undefined ? [{ account, files: own.photos }] : []),
      ...(ofAll.photos.length > 0 ? [{ files: ofAll.photos }] : []),
    ];
    const { removed } = ofAll;
    return photos.length + removed.length > 0
      ? { ...request, ...(photos.length > 0 && { photos }), ...(removed.length > 0 && { removed }) }
      : request;
  };
  const lastSeen: VisiblePhotos['lastSeen'] = (request, account) =>
    withPhotos(
      request,
      curations.lastSeen(everybody),
      account === undefined ? noCuration : curations.lastSeen(account),
      account,
    );
  return {
    lastSeen,
    async added(request, account) {
      try {
        const ofAll = await curations.read(everybody);
        const own = account !== undefined && ofAll.hasAccounts ? await curations.read(account) : noCuration;
        return withPhotos(request, ofAll, own, account);
      } catch (error) {
        telemetry.error('What the operator has decided about images was not looked up', error);
        return lastSeen(request, account);
      }
    },
  };
}
