/** The images that an account has chosen and refused for its words, and its requests as they show them. */

import { createExpiringCache } from '../base/expiring-cache';
import type { StockMemory } from '../base/item-store';
import type { StockSlot } from '../contract/providers';
import { type Orientation, orientationOf } from '../images/image';
import { identityOf, type StockRequest, sha256Hex } from '../requests/image-request';

/** At least one of `chosen` and `refused` says something. */
export interface Decision {
  /** The image that is shown; `isAi` where a generation made it. */
  readonly chosen?: { readonly pick: string; readonly isAi?: true };
  /** Picks of images that are not shown, in ascending order. */
  readonly refused: readonly string[];
  /** When it was changed last, milliseconds since the epoch. */
  readonly atMs: number;
}

/** What is decided for some words, by orientation. */
export type Decisions = Readonly<Partial<Record<Orientation, Decision>>>;

/** The words of a decision and its slot. */
export interface DecidedWords {
  /** As the account wrote them first. */
  readonly query: string;
  readonly provider: StockSlot;
}

/** One of the parts in which the decisions of an account are stored, by `decisionKey`. */
export type DecisionPart = Readonly<Record<string, DecidedWords & { readonly decisions: Decisions }>>;

/** Under which words and their slot are decided; ascending keys are in ascending parts. */
export function decisionKey({ query, provider }: DecidedWords): string {
  return sha256Hex(JSON.stringify([identityOf(query), provider])).slice(0, 16);
}

/** The part that a key is stored in, one of 64. */
export const partOf = (key: string): string => String(Number.parseInt(key.slice(0, 2), 16) >> 2);

/** The parts of an account that hold decisions, as each stands now: a version that is never used again, and how many it holds. */
export type DecidedParts = Readonly<Record<string, { readonly version: string; readonly count: number }>>;

/** Key of the item of the stock memory that holds a part of an account's decisions. */
export function decisionPartKey(account: string, part: string): string {
  return `DECIDED#${account}#${part}`;
}

/** Requests as their accounts have decided about them. */
export interface ChosenImages {
  /** With what this instance has read last. */
  lastSeen(request: StockRequest, account: string, parts: DecidedParts | undefined): StockRequest;
  /** @throws when the table does not answer */
  current(request: StockRequest, account: string, parts: DecidedParts): Promise<StockRequest>;
}

const partsRememberedMax = 500;
const forEverMs = Number.MAX_SAFE_INTEGER;

/** An instance keeps the parts that it has read, until it learns of another version. */
export function createChosenImages(stockMemory: Pick<StockMemory, 'readLatest'>): ChosenImages {
  const cached = createExpiringCache<{ readonly part: DecisionPart; readonly version: string }>(
    partsRememberedMax,
  );
  /** The part that may decide about a request; `undefined` where nothing does. */
  const partFor = (request: StockRequest, account: string, parts: DecidedParts = {}) => {
    if (request.pick !== undefined) return undefined;
    const name = partOf(decisionKey(request));
    const stands = parts[name];
    return stands && { key: decisionPartKey(account, name), version: stands.version };
  };
  return {
    lastSeen(request, account, parts) {
      const of = partFor(request, account, parts);
      return of ? asDecided(request, cached.get(of.key, 0)?.part ?? {}) : request;
    },
    async current(request, account, parts) {
      const of = partFor(request, account, parts);
      if (!of) return request;
      const { key, version } = of;
      const latest = cached.get(key, 0);
      if (latest?.version === version) return asDecided(request, latest.part);
      // Written before its version is known, so it is that one or a later one.
      const part = (await stockMemory.readLatest<DecisionPart>(key))?.value ?? {};
      cached.set(key, { part, version }, forEverMs);
      return asDecided(request, part);
    },
  };
}

/** The request as its account has decided about it. What is chosen shows without a pick and without another seed. */
function asDecided(request: StockRequest, part: DecisionPart): StockRequest {
  const { chosen, refused = [] } = part[decisionKey(request)]?.decisions[orientationOf(request)] ?? {};
  const otherwise = refused.length > 0 ? { ...request, refused } : request;
  if (!chosen || !['', '1'].includes(request.seed)) return otherwise;
  const { pick, isAi = false } = chosen;
  const { crop } = request.filters;
  return { ...otherwise, pick, filters: crop ? { crop } : {}, choice: { isAi, otherwise } };
}
