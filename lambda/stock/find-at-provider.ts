/** Finds the image of a request at one provider: its pick, or the best of its candidates, which becomes the pick. */

import type { Clock } from '../base/clock';
import type { Candidate, Fit } from '../images/image';
import { type Candidates, type SearchResult, usableCandidates } from './candidates';
import { type DeliverCandidateDeps, type DeliveredImage, deliverCandidate } from './deliver-candidate';
import { type NewPick, type PickKind, type Picks, pickKey, pickKinds } from './picks';
import type { Met, ProviderSearch } from './provider-request';
import { rankCandidates } from './rank-candidates';
import { coverageOf, fitOf } from './score';

/** Broken images that one request may meet before it turns to another provider. */
const brokenMax = 4;
/** How long an image is kept while a better one may answer later, in milliseconds. */
const substituteFreshForMs = 600_000;
/** How long a loose image is kept, in milliseconds: providers are searched again after it. */
const looseFreshForMs = 24 * 3_600_000;
/** How long an image from a stale answer is kept, in milliseconds. */
const staleFreshForMs = 60_000;

/** What an image is selected and delivered with. */
export interface FindAtProviderDeps extends DeliverCandidateDeps {
  readonly clock: Clock;
  readonly candidates: Candidates;
  readonly picks: Picks;
}

/** The image that a provider has for a request. */
export interface SelectedImage {
  readonly candidate: Candidate;
  readonly delivered: DeliveredImage;
  readonly fit: Fit;
  /** Moment (epoch, milliseconds) until which it may be kept. */
  readonly keepUntilMs: number;
}

/** What a search has learnt of a provider's images. */
export interface Findings {
  readonly met: Met;
  /** What the provider offers; absent until it has been searched. */
  readonly result?: SearchResult;
  /** Ids of candidates that were tried and passed over, and of those the ones whose images are broken. */
  readonly passed: readonly string[];
  readonly broken: readonly string[];
  /** To be stored. */
  readonly picks: readonly NewPick[];
}

/** Where a search at a provider has led: to an image, or to nothing that will do, and `findings.met` says why. */
export interface Selection {
  readonly findings: Findings;
  readonly image?: SelectedImage;
  /** Where its next image is a loose one, which was not wanted: the share of the subject that it covers, from 0 to 1. */
  readonly looseCoverage?: number;
  /** The pick is too small for this size, so that the larger one has to serve. */
  readonly isTooSmall?: true;
}

interface Context {
  readonly deps: FindAtProviderDeps;
  readonly search: ProviderSearch;
  readonly isLooseWanted: boolean;
}

/**
 * @throws `NotClaimed` alone
 * @param isLooseWanted whether a loose image is delivered as well; otherwise the search ends before it
 */
export async function findAtProvider(
  deps: FindAtProviderDeps,
  search: ProviderSearch,
  isLooseWanted: boolean,
): Promise<Selection> {
  let selection: Selection = {
    findings: { met: { requestsSent: 0 }, passed: [], broken: [], picks: [] },
  };
  for (const kind of pickKinds) {
    selection = await findOfKind({ deps, search, isLooseWanted }, kind, selection.findings);
    if (!selection.isTooSmall) break;
  }
  return selection;
}

/** Delivers the pick that is stored, and selects another where there is none or its image is broken. */
async function findOfKind(context: Context, kind: PickKind, before: Findings): Promise<Selection> {
  const { deps, search } = context;
  const key = pickKey(search.provider.name, search.request, kind);
  const stored = await deps.picks.find(key);
  if (!stored) return select(context, kind, before);
  const checked = await deps.picks.check(search, key, stored, requestsLeft(context, before));
  const findings = { ...before, met: together(before.met, checked) };
  if (!checked.pick) return { findings };
  const { candidate, fit } = checked.pick;
  const delivered = await deliverCandidate(deps, search, candidate, checked.isGone);
  switch (delivered.outcome) {
    case 'delivered': {
      if (!checked.isGone) {
        const { checkedUntilMs: keepUntilMs } = checked;
        return { findings, image: { candidate, delivered, fit, keepUntilMs } };
      }
      const keepUntilMs = deps.clock.nowMs() + search.provider.capability.freshForMs;
      return {
        findings: withPick(findings, { key, candidate, fit, checkedUntilMs: keepUntilMs }),
        image: { candidate, delivered, fit, keepUntilMs },
      };
    }
    case 'too-small':
      return kind === 'usual'
        ? { findings: passedOver(findings, candidate, false), isTooSmall: true }
        : select(context, 'substitute', passedOver(findings, candidate, false));
    case 'unanswered':
      return select(context, 'substitute', passedOver(findings, candidate, false));
    case 'broken':
      return select(context, kind, passedOver(findings, candidate, true), candidate.id);
    case 'failed':
      return { findings: failed(findings, delivered.isBusy) };
  }
}

/**
 * Searches, unless an earlier step has, and selects the best candidate that can be delivered.
 * @param kind of the pick that it becomes; a `substitute` for one whose server does not answer becomes none
 * @param replaces id of the pick whose image is gone
 */
async function select(
  context: Context,
  kind: PickKind | 'substitute',
  before: Findings,
  replaces?: string,
): Promise<Selection> {
  const { deps, search, isLooseWanted } = context;
  const { provider, request, subject } = search;
  const searched = await searchOnce(context, before);
  const ranked = rank(context, searched);
  const isUsual = kind === 'usual';
  let findings = searched;
  /** Whether no better one may answer later. */
  let isCertain = true;
  for (const candidate of kind === 'larger' ? largestFirst(ranked) : ranked) {
    const fit = fitOf(candidate, subject);
    if (fit === 'loose' && !isLooseWanted) return { findings, looseCoverage: coverageOf(candidate, subject) };
    const delivered = await deliverCandidate(deps, search, candidate, false);
    if (delivered.outcome === 'failed') return { findings: failed(findings, delivered.isBusy) };
    const isTooSmall = delivered.outcome === 'too-small';
    if (delivered.outcome === 'delivered' || (isTooSmall && isUsual)) {
      const isLasting = isCertain && kind !== 'substitute';
      const freshForMs = !isLasting ? substituteFreshForMs : fit === 'loose' ? looseFreshForMs : Infinity;
      const nowMs = deps.clock.nowMs();
      const keepUntilMs = Math.min(freshUntilMsOf(searched, nowMs), nowMs + freshForMs);
      if (isLasting && fit !== 'loose') {
        const key = pickKey(provider.name, request, kind);
        const pick = { key, candidate, fit, checkedUntilMs: keepUntilMs, ...(replaces && { replaces }) };
        findings = withPick(findings, pick);
      }
      return isTooSmall
        ? { findings: passedOver(findings, candidate, false), isTooSmall }
        : { findings, image: { candidate, delivered, fit, keepUntilMs } };
    }
    if (delivered.outcome === 'unanswered') isCertain = false;
    findings = passedOver(findings, candidate, !isTooSmall);
    if (findings.broken.length >= brokenMax) break;
  }
  // Images that cannot be loaded are the provider's failure, not a lack of images.
  return { findings: findings.broken.length > searched.broken.length ? failed(findings) : findings };
}

async function searchOnce(context: Context, before: Findings): Promise<Findings> {
  if (before.result) return before;
  const { deps, search } = context;
  const result = await deps.candidates.search(search, requestsLeft(context, before));
  return { ...before, met: together(before.met, result), result };
}

/** What the provider offers and this search has not passed over, the best first. */
function rank({ deps, search }: Context, { result, passed }: Findings): readonly Candidate[] {
  if (!result?.offer) return [];
  const usable = usableCandidates(result.offer.value, deps.clock.nowMs());
  const left = usable.filter(({ id }) => !passed.includes(id));
  return rankCandidates(search, left);
}

function requestsLeft({ search }: Context, { met }: Findings): number {
  return search.requestsMax - met.requestsSent;
}

function withPick(findings: Findings, pick: NewPick): Findings {
  return { ...findings, picks: [...findings.picks, pick] };
}

function passedOver(findings: Findings, { id }: Candidate, isBroken: boolean): Findings {
  const broken = isBroken ? [...findings.broken, id] : findings.broken;
  return { ...findings, passed: [...findings.passed, id], broken };
}

function failed(findings: Findings, isRendererBusy = false): Findings {
  return { ...findings, met: { ...findings.met, isFailed: true, ...(isRendererBusy && { isRendererBusy }) } };
}

/** What two steps have met, one after the other; neither has rendered. */
function together(before: Met, met: Met): Met {
  const { requestsSent, isFailed, isOutage, retryAtMs, refusal } = met;
  return {
    ...before,
    requestsSent: before.requestsSent + requestsSent,
    ...(isFailed && { isFailed }),
    ...(isOutage && { isOutage }),
    ...(retryAtMs !== undefined && { retryAtMs }),
    ...(refusal && { refusal }),
  };
}

/** Until when a choice among the candidates is kept (epoch, milliseconds). */
function freshUntilMsOf({ result }: Findings, nowMs: number): number {
  return result?.offer && !result.isStale ? result.offer.freshUntilMs : nowMs + staleFreshForMs;
}

/** Candidates by their long side; those of unknown size come last. The order among equals stays. */
function largestFirst(ranked: readonly Candidate[]): readonly Candidate[] {
  const longSide = ({ widthPx = 0, heightPx = 0 }: Candidate) => Math.max(widthPx, heightPx);
  return [...ranked].sort((a, b) => longSide(b) - longSide(a));
}
