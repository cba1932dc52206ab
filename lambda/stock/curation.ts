/** What an operator has decided about images: photographs of their own, an account's among them, and images that were taken down. */

import type { Clock } from '../base/clock';
import { createExpiringCache } from '../base/expiring-cache';
import type { StockMemory } from '../base/item-store';
import { orLogged } from '../base/or-logged';
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

/** Where nothing is decided. */
export const noCuration: Curation = { photos: [], hasAccounts: false, removed: [] };
const accountsRememberedMax = 5_000;

/** Key of the item of the stock memory that holds a curation. @param owner an account's id, or `everybody` */
export function curationKey(owner: string): string {
  return `CURATION#${owner}`;
}

/** Curations as this instance reads them. */
export interface Curations {
  /**
   * @param owner an account's id, or `everybody`
   * @throws when the table does not answer
   */
  read(owner: string): Promise<Curation>;
  /** What this instance has read last, however long ago; nothing before it has. */
  lastSeen(owner: string): Curation;
}

/** An instance keeps the curations of 5,000 accounts. */
export function createCurations(
  stockMemory: Pick<StockMemory, 'read'>,
  { nowMs }: Pick<Clock, 'nowMs'>,
): Curations {
  const cache = createExpiringCache<{ readonly curation: Curation; readonly readMs: number }>(
    accountsRememberedMax,
  );
  return {
    lastSeen: (owner) => cache.get(owner, 0)?.curation ?? noCuration,
    async read(owner) {
      const cached = cache.get(owner, 0);
      if (cached && nowMs() < cached.readMs + curationSeenMs) return cached.curation;
      const stored = await stockMemory.read<Curation>(curationKey(owner));
      const curation = { ...noCuration, ...stored?.value };
      cache.set(owner, { curation, readMs: nowMs() }, Number.MAX_SAFE_INTEGER);
      return curation;
    },
  };
}

/** What the operator and the account have decided about the images of a request. */
export interface Curate {
  /** The request with what this instance saw last, without a call. */
  lastSeen(request: StockRequest, account: string | undefined): StockRequest;
  /** The request with what holds now, or with what was seen last while the table does not answer. Never throws. */
  current(request: StockRequest, account: string | undefined): Promise<StockRequest>;
}

/** What the table does not answer is logged. */
export function createCurate(curations: Curations, telemetry: Telemetry): Curate {
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
  const lastSeen: Curate['lastSeen'] = (request, account) => {
    const own = account === undefined ? noCuration : curations.lastSeen(account);
    return withPhotos(request, curations.lastSeen(everybody), own, account);
  };
  return {
    lastSeen,
    async current(request, account) {
      const read = async () => {
        const ofAll = await curations.read(everybody);
        if (account === undefined || !ofAll.hasAccounts) return withPhotos(request, ofAll, noCuration);
        return withPhotos(request, ofAll, await curations.read(account), account);
      };
      const curated = await orLogged(telemetry, 'What was decided about images was not looked up', read);
      return curated ?? lastSeen(request, account);
    },
  };
}
