/** Finds the image of a request at one provider: its pick, or the best of its candidates, which becomes the pick. */

import type { Candidate, Fit } from '../images/image';
import { reportNotRendered } from '../images/not-rendered';
import type { Lookup } from './ask-provider';
import type { Candidates, Supply } from './candidates';
import {
  type DeliverCandidateDeps,
  type Delivered,
  type DeliveredImage,
  deliverCandidate,
} from './deliver-candidate';
import { type PickKind, type Picks, pickKey, pickKinds } from './picks';
import { type RankCandidatesDeps, rankCandidates } from './rank-candidates';
import { fitOf } from './score';

/** Broken images that one request may meet before it turns to another provider. */
const brokenMax = 4;
/** How long an image is kept that stands in for a pick whose server does not answer, in milliseconds. */
const substituteFreshForMs = 600_000;
/** How long an image from a stale answer is kept, in milliseconds. */
const staleFreshForMs = 60_000;

export interface FindInSlotDeps extends DeliverCandidateDeps, RankCandidatesDeps {
  readonly candidates: Candidates;
  readonly picks: Picks;
}

/** The image that a slot's provider has for a request. */
export interface FoundInSlot {
  readonly candidate: Candidate;
  readonly delivered: DeliveredImage;
  readonly fit: Fit;
  /** Whether it is another image than at most sizes. */
  readonly isOther: boolean;
  /** Moment (epoch, milliseconds) until which it may be kept. */
  readonly keepUntilMs: number;
}

/** A lookup, and what it has learnt about the provider's images. */
interface Search {
  readonly deps: FindInSlotDeps;
  readonly lookup: Lookup;
  /** Ids of candidates that it has met and passed over. */
  readonly passed: Set<string>;
  /** Ids of candidates whose images are broken. */
  readonly broken: string[];
  /** What the provider offers; absent until it is needed. */
  supply?: Supply;
}

/** `too-small`: the pick is too small for this size, so that the larger one has to serve. */
type FoundOfKind = FoundInSlot | 'too-small' | undefined;

/** Never throws. @returns `undefined` when the provider has no image that would do; the lookup knows why */
export async function findInSlot(deps: FindInSlotDeps, lookup: Lookup): Promise<FoundInSlot | undefined> {
  const search: Search = { deps, lookup, passed: new Set(), broken: [] };
  for (const kind of pickKinds) {
    const found = await findOfKind(search, kind);
    if (found !== 'too-small') return found;
  }
  return undefined;
}

async function findOfKind(search: Search, kind: PickKind): Promise<FoundOfKind> {
  const { lookup, passed, broken } = search;
  const { picks, clock } = search.deps;
  const key = pickKey(lookup.provider.name, lookup.request, kind);
  const stored = await picks.find(key);
  if (!stored) return choose(search, key, kind);
  const checked = await picks.check(lookup, key, stored);
  if (!checked) return undefined;
  const { pick, isGone, checkedUntilMs } = checked;
  const { candidate, fit } = pick;
  const delivered = await deliver(search, candidate, isGone);
  if (!delivered) return undefined;
  passed.add(candidate.id);
  switch (delivered.outcome) {
    case 'delivered': {
      const { freshForMs } = lookup.provider.capability;
      const keepUntilMs = isGone ? clock.nowMs() + freshForMs : checkedUntilMs;
      if (isGone) lookup.writes.push(picks.keep(key, candidate, fit, keepUntilMs));
      return { candidate, delivered, fit, isOther: kind === 'larger', keepUntilMs };
    }
    case 'too-small':
      return kind === 'usual' ? 'too-small' : substitute(search);
    case 'unanswered':
      return substitute(search);
    case 'broken':
      broken.push(candidate.id);
      return choose(search, key, kind, candidate.id);
  }
}

/**
 * Chooses among the candidates, and stores the choice.
 * @param replaced id of the pick whose image is gone
 */
async function choose(search: Search, key: string, kind: PickKind, replaced?: string): Promise<FoundOfKind> {
  const { lookup, passed } = search;
  const { picks, clock } = search.deps;
  const ordered = await candidatesOf(search);
  const { candidate, delivered, isCertain } =
    kind === 'usual'
      ? await firstOf(search, ordered, true)
      : await firstOf(search, largestFirst(ordered), false);
  lookup.writes.push(markBroken(search));
  if (!candidate) return undefined;
  const fit = fitOf(candidate, lookup.request.query);
  const freshUntilMs = freshUntilMsOf(search);
  // Where a better image may answer later, the choice stands for a while only.
  const keepUntilMs = isCertain ? freshUntilMs : Math.min(freshUntilMs, clock.nowMs() + substituteFreshForMs);
  if (isCertain) {
    lookup.writes.push(picks.keep(key, candidate, fit, keepUntilMs));
    if (replaced !== undefined) lookup.writes.push(picks.countReplaced(key, lookup.provider.name, replaced));
  }
  if (delivered) return { candidate, delivered, fit, isOther: kind === 'larger', keepUntilMs };
  passed.add(candidate.id);
  return 'too-small';
}

/** Another image for a while, where the server of the pick does not answer; the pick stays. */
async function substitute(search: Search): Promise<FoundInSlot | undefined> {
  const { lookup } = search;
  const { candidate, delivered } = await firstOf(search, await candidatesOf(search), false);
  lookup.writes.push(markBroken(search));
  if (!candidate || !delivered) return undefined;
  const keepUntilMs = search.deps.clock.nowMs() + substituteFreshForMs;
  return { candidate, delivered, fit: fitOf(candidate, lookup.request.query), isOther: true, keepUntilMs };
}

interface FirstOf {
  /** The first that can be delivered, or the first that is too small where a pick is chosen. */
  readonly candidate?: Candidate;
  /** Absent for one that is too small. */
  readonly delivered?: DeliveredImage;
  /** Whether no better one may answer later. */
  readonly isCertain: boolean;
}

/** @param isPick whether the search ends at the first that is not broken, whatever its size */
async function firstOf(search: Search, ordered: readonly Candidate[], isPick: boolean): Promise<FirstOf> {
  const { passed, broken } = search;
  let isCertain = true;
  for (const candidate of ordered) {
    const delivered = await deliver(search, candidate);
    if (!delivered) break;
    if (delivered.outcome === 'delivered') return { candidate, delivered, isCertain };
    if (delivered.outcome !== 'too-small') broken.push(candidate.id);
    else if (isPick) return { candidate, isCertain };
    if (delivered.outcome === 'unanswered') isCertain = false;
    passed.add(candidate.id);
    if (broken.length >= brokenMax) break;
  }
  return { isCertain };
}

/** @returns `undefined` when the renderer failed */
async function deliver(
  { deps, lookup }: Search,
  candidate: Candidate,
  anew = false,
): Promise<Delivered | undefined> {
  try {
    return await deliverCandidate(deps, lookup, candidate, anew);
  } catch (error) {
    reportNotRendered(deps.telemetry, 'rendition', error, { provider: lookup.provider.name });
    lookup.failed = true;
    return undefined;
  }
}

/** What the provider offers and this search has not met yet, the best first. */
async function candidatesOf(search: Search): Promise<readonly Candidate[]> {
  const { deps, lookup, passed } = search;
  search.supply ??= await deps.candidates.supply(lookup);
  const { offer } = search.supply;
  if (!offer) return [];
  const usable = deps.candidates.usableIn(offer).filter(({ id }) => !passed.has(id));
  return rankCandidates(deps, lookup, usable);
}

/** Until when a choice among the candidates is kept (epoch, milliseconds). */
function freshUntilMsOf({ deps, supply }: Search): number {
  if (supply?.offer && !supply.isStale) return supply.offer.freshUntilMs;
  return deps.clock.nowMs() + staleFreshForMs;
}

async function markBroken({ deps, lookup, broken, supply }: Search): Promise<void> {
  if (supply?.offer && broken.length > 0) await deps.candidates.markUnusable(lookup, supply.offer, broken);
}

/** Candidates by their long side; those of unknown size come last. The order among equals stays. */
function largestFirst(ordered: readonly Candidate[]): readonly Candidate[] {
  const longSide = ({ widthPx = 0, heightPx = 0 }: Candidate) => Math.max(widthPx, heightPx);
  return [...ordered].sort((a, b) => longSide(b) - longSide(a));
}
