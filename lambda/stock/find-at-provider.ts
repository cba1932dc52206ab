/** Finds the image of a request at one provider: its pick, or the best of its candidates, which becomes the pick. */

import type { Clock } from '../base/clock';
import type { Stored } from '../base/item-store';
import type { Candidate, Fit } from '../images/image';
import { type Candidates, type Offer, type SearchResult, usableCandidates } from './candidates';
import { type DeliverCandidateDeps, type DeliveredImage, deliverCandidate } from './deliver-candidate';
import { isStanding, type NewPick, type PickKind, type Picks, pickKey, pickKinds } from './picks';
import type { Met, ProviderSearch } from './provider-request';
import { isRefused, type RankCandidatesDeps, rankCandidates } from './rank-candidates';
import { coverageOf, fitOf } from './score';

/** Broken images that one request may meet before it turns to another provider. */
const brokenMax = 4;
/** How long an image is kept that stands in for a pick whose server does not answer, in milliseconds. */
const substituteFreshForMs = 600_000;
/** How long a loose image is kept, in milliseconds: providers are asked again after it. */
const looseFreshForMs = 24 * 3_600_000;
/** How long an image from a stale answer is kept, in milliseconds. */
const staleFreshForMs = 60_000;

export interface FindAtProviderDeps extends DeliverCandidateDeps, RankCandidatesDeps {
  readonly clock: Clock;
  readonly candidates: Candidates;
  readonly picks: Picks;
}

/** The image that a provider has for a request. */
export interface SelectedImage {
  readonly candidate: Candidate;
  readonly delivered: DeliveredImage;
  readonly fit: Fit;
  /** Whether it is another image than at most sizes. */
  readonly isOther: boolean;
  /** Moment (epoch, milliseconds) until which it may be kept. */
  readonly keepUntilMs: number;
}

/** What is worth keeping of a search at a provider, whether or not it found an image. */
export interface Findings {
  readonly picks: readonly NewPick[];
  /** What the provider offers; absent where it was not searched or has failed. */
  readonly offer?: Stored<Offer>;
  /** Ids of candidates whose images are broken. */
  readonly broken: readonly string[];
}

/** What a search at a provider ends in. */
export interface FoundAtProvider {
  /** Absent when the provider has no image that would do; `met` says why. */
  readonly image?: SelectedImage;
  /** Where its next image is a loose one, which was not asked for: the share of the subject that it covers, from 0 to 1. */
  readonly looseCoverage?: number;
  readonly findings: Findings;
  readonly met: Met;
}

/** What is known of a provider's images after a step of the search. */
interface Progress {
  readonly met: Met;
  /** What the provider offers; absent until it has been searched. */
  readonly result?: SearchResult;
  /** Ids of candidates that were tried and passed over, and of those the ones whose images are broken. */
  readonly passed: readonly string[];
  readonly broken: readonly string[];
  readonly picks: readonly NewPick[];
}

/** Where a step has led: to an image, to a loose one, to a pick that is too small for this size, or to nothing. */
interface Step {
  readonly progress: Progress;
  readonly image?: SelectedImage;
  readonly looseCoverage?: number;
  /** The larger pick has to serve. */
  readonly isTooSmall?: true;
}

interface Context {
  readonly deps: FindAtProviderDeps;
  readonly search: ProviderSearch;
  readonly isLooseWanted: boolean;
}

/**
 * Throws `NotClaimed` alone.
 * @param isLooseWanted whether a loose image is delivered as well; otherwise the search ends before it
 */
export async function findAtProvider(
  deps: FindAtProviderDeps,
  search: ProviderSearch,
  isLooseWanted: boolean,
): Promise<FoundAtProvider> {
  let step: Step = { progress: { met: { requestsSent: 0 }, passed: [], broken: [], picks: [] } };
  for (const kind of pickKinds) {
    step = await findOfKind({ deps, search, isLooseWanted }, kind, step.progress);
    if (!step.isTooSmall) break;
  }
  const { image, looseCoverage, progress } = step;
  const { met, result, broken, picks } = progress;
  const findings = { picks, broken, ...(result?.offer && { offer: result.offer }) };
  return { ...(image && { image }), ...(looseCoverage !== undefined && { looseCoverage }), findings, met };
}

/** Delivers the pick that is stored, and selects another where there is none or its image is broken. */
async function findOfKind(context: Context, kind: PickKind, before: Progress): Promise<Step> {
  const { deps, search } = context;
  const { key, stored } = await storedPick(context, kind);
  if (!stored || !isStanding(stored.value)) return selectPick(context, kind, before);
  const checked = await deps.picks.check(search, key, stored, requestsLeft(context, before));
  const progress = { ...before, met: together(before.met, checked) };
  if (!checked.pick) return { progress };
  const { candidate, fit } = checked.pick;
  const delivered = await deliverCandidate(deps, search, candidate, checked.isGone);
  const passed = [...progress.passed, candidate.id];
  switch (delivered.outcome) {
    case 'delivered': {
      const { freshForMs } = search.provider.capability;
      const keepUntilMs = checked.isGone ? deps.clock.nowMs() + freshForMs : checked.checkedUntilMs;
      const image = { candidate, delivered, fit, isOther: kind === 'larger', keepUntilMs };
      if (!checked.isGone) return { progress, image };
      const pick = { key, candidate, fit, checkedUntilMs: keepUntilMs };
      return { progress: { ...progress, picks: [...progress.picks, pick] }, image };
    }
    case 'too-small':
      if (kind === 'usual') return { progress: { ...progress, passed }, isTooSmall: true };
      return selectSubstitute(context, { ...progress, passed });
    case 'unanswered':
      return selectSubstitute(context, { ...progress, passed });
    case 'broken': {
      const broken = [...progress.broken, candidate.id];
      return selectPick(context, kind, { ...progress, passed, broken }, candidate.id);
    }
    case 'failed':
      return { progress: failed(progress, delivered.isBusy) };
  }
}

/** The pick that is stored and not refused: that of all accounts, or else one of those that have refused the same images. */
async function storedPick({ deps: { picks }, search: { provider, request } }: Context, kind: PickKind) {
  const { refused, ...others } = request;
  const key = pickKey(provider.name, others, kind);
  const stored = await picks.find(key);
  if (!refused || (stored && !isRefused(request, provider.name, stored.value.candidate.id)))
    return { key, stored };
  const own = pickKey(provider.name, request, kind);
  return { key: own, stored: await picks.find(own) };
}

/**
 * Searches, and selects the best of the candidates as the pick.
 * @param replaces id of the pick whose image is gone
 */
async function selectPick(
  context: Context,
  kind: PickKind,
  before: Progress,
  replaces?: string,
): Promise<Step> {
  const {
    deps: { clock },
    search: { provider, request },
  } = context;
  const searched = await searchOnce(context, before);
  const ranked = await rank(context, searched);
  const isUsual = kind === 'usual';
  const first = await deliverFirst(context, isUsual ? ranked : largestFirst(ranked), isUsual, searched);
  const { candidate, fit, delivered, isCertain, looseCoverage, progress } = first;
  if (!candidate) return { progress, ...(looseCoverage !== undefined && { looseCoverage }) };
  // Where a better image may be found later, the choice stands for a while only.
  const isKept = isCertain && fit !== 'loose';
  const freshForMs = isKept ? Infinity : isCertain ? looseFreshForMs : substituteFreshForMs;
  const keepUntilMs = Math.min(freshUntilMsOf(searched, clock.nowMs()), clock.nowMs() + freshForMs);
  const key = pickKey(provider.name, request, kind);
  const pick = { key, candidate, fit, checkedUntilMs: keepUntilMs, ...(replaces && { replaces }) };
  const kept = isKept ? { ...progress, picks: [...progress.picks, pick] } : progress;
  if (delivered)
    return { progress: kept, image: { candidate, delivered, fit, isOther: !isUsual, keepUntilMs } };
  return { progress: { ...kept, passed: [...kept.passed, candidate.id] }, isTooSmall: true };
}

/** Selects another image for a while, where the server of the pick does not answer; the pick stays. */
async function selectSubstitute(context: Context, before: Progress): Promise<Step> {
  const searched = await searchOnce(context, before);
  const ranked = await rank(context, searched);
  const first = await deliverFirst(context, ranked, false, searched);
  const { candidate, fit, delivered, looseCoverage, progress } = first;
  if (!candidate || !delivered) return { progress, ...(looseCoverage !== undefined && { looseCoverage }) };
  const keepUntilMs = context.deps.clock.nowMs() + substituteFreshForMs;
  return { progress, image: { candidate, delivered, fit, isOther: true, keepUntilMs } };
}

/** Searches the provider, unless an earlier step has. */
async function searchOnce(context: Context, before: Progress): Promise<Progress> {
  if (before.result) return before;
  const { deps, search } = context;
  const result = await deps.candidates.search(search, requestsLeft(context, before));
  return { ...before, met: together(before.met, result), result };
}

/** What the provider offers and this search has not passed over, the best first. */
async function rank({ deps, search }: Context, { result, passed }: Progress): Promise<readonly Candidate[]> {
  if (!result?.offer) return [];
  const usable = usableCandidates(result.offer.value, deps.clock.nowMs());
  const left = usable.filter(({ id }) => !passed.includes(id));
  return rankCandidates(deps, search, left);
}

interface FirstDelivered {
  /** The first that can be delivered, or the first that is too small where a pick is selected. */
  readonly candidate?: Candidate;
  /** Of the candidate; `loose` without one. */
  readonly fit: Fit;
  /** Absent for one that is too small. */
  readonly delivered?: DeliveredImage;
  /** Whether no better one may answer later. */
  readonly isCertain: boolean;
  /** Of the loose candidate before which it ended. */
  readonly looseCoverage?: number;
  readonly progress: Progress;
}

/** @param isPick whether it ends at the first that is not broken, whatever its size */
async function deliverFirst(
  { deps, search, isLooseWanted }: Context,
  ranked: readonly Candidate[],
  isPick: boolean,
  before: Progress,
): Promise<FirstDelivered> {
  let progress = before;
  let isCertain = true;
  for (const candidate of ranked) {
    const fit = fitOf(candidate, search.subject);
    if (fit === 'loose' && !isLooseWanted)
      return { fit, isCertain, looseCoverage: coverageOf(candidate, search.subject), progress };
    const delivered = await deliverCandidate(deps, search, candidate, false);
    if (delivered.outcome === 'failed')
      return { fit, isCertain, progress: failed(progress, delivered.isBusy) };
    if (delivered.outcome === 'delivered') return { candidate, fit, delivered, isCertain, progress };
    const isTooSmall = delivered.outcome === 'too-small';
    if (isTooSmall && isPick) return { candidate, fit, isCertain, progress };
    if (delivered.outcome === 'unanswered') isCertain = false;
    const broken = isTooSmall ? progress.broken : [...progress.broken, candidate.id];
    progress = { ...progress, passed: [...progress.passed, candidate.id], broken };
    if (broken.length >= brokenMax) break;
  }
  // Images that cannot be loaded are the provider's failure, not a lack of images.
  const isFaulty = progress.broken.length > before.broken.length;
  return { fit: 'loose', isCertain, progress: isFaulty ? failed(progress) : progress };
}

function requestsLeft({ search }: Context, { met }: Progress): number {
  return search.requestsMax - met.requestsSent;
}

function failed(progress: Progress, isRendererBusy = false): Progress {
  return { ...progress, met: { ...progress.met, isFailed: true, ...(isRendererBusy && { isRendererBusy }) } };
}

/** What two steps have met, one after the other. */
function together(before: Met, { requestsSent, isFailed, isRendererBusy, retryAtMs, refusal }: Met): Met {
  return {
    ...before,
    requestsSent: before.requestsSent + requestsSent,
    ...(isFailed && { isFailed }),
    ...(isRendererBusy && { isRendererBusy }),
    ...(retryAtMs !== undefined && { retryAtMs }),
    ...(refusal && { refusal }),
  };
}

/** Until when a choice among the candidates is kept (epoch, milliseconds). */
function freshUntilMsOf({ result }: Progress, nowMs: number): number {
  return result?.offer && !result.isStale ? result.offer.freshUntilMs : nowMs + staleFreshForMs;
}

/** Candidates by their long side; those of unknown size come last. The order among equals stays. */
function largestFirst(ranked: readonly Candidate[]): readonly Candidate[] {
  const longSide = ({ widthPx = 0, heightPx = 0 }: Candidate) => Math.max(widthPx, heightPx);
  return [...ranked].sort((a, b) => longSide(b) - longSide(a));
}
