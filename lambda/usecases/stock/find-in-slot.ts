/** Finds the image of a request at one provider: its pick, or the best of its candidates, which becomes the pick. */

import { type Candidate, type Fit, orientationOf, type RenditionFormat } from '../../domain/image/image';
import type { ChargeRefusal } from '../../domain/problem/problem';
import type { StockRequest } from '../../domain/request/image-request';
import { fitOf } from '../../domain/selection/score';
import type { StockProvider } from '../../ports/stock-provider';
import { reportNotRendered } from '../not-rendered';
import { type Asker, requestsOfLookup } from './ask-provider';
import type { Candidates, Supply } from './candidates';
import {
  type DeliverCandidateDeps,
  type Delivered,
  type DeliveredImage,
  deliverCandidate,
} from './deliver-candidate';
import { type PickKind, type Picks, pickKey, pickKinds } from './picks';
import { queryOf, type RankCandidatesDeps, rankCandidates } from './rank-candidates';

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

/** What a slot's provider has for a request. */
export interface InSlot {
  /** Absent when the provider has no image that would do. */
  readonly found?: {
    readonly candidate: Candidate;
    readonly delivered: DeliveredImage;
    readonly fit: Fit;
    /** Whether it is another image than at most sizes. */
    readonly isOther: boolean;
    readonly keepUntilMs: number;
  };
  /** Whether this call caused the provider to be asked. */
  readonly asked: boolean;
  /** The provider or the renderer failed, so another attempt might find an image. */
  readonly failed: boolean;
  /** Moment (epoch, milliseconds) before which the same lookup asks the provider in vain; present when it failed. */
  readonly retryAtMs?: number;
  /** Present when the provider would have to be asked, and the caller has asked as often as it may. */
  readonly refusal?: ChargeRefusal;
  /** Settles when everything is stored; never rejects. */
  readonly written: Promise<unknown>;
}

/** Never throws. */
export async function findInSlot(
  deps: FindInSlotDeps,
  provider: StockProvider,
  request: StockRequest,
  format: RenditionFormat,
  deadlineMs: number,
  asker: Asker,
): Promise<InSlot> {
  const lookup = lookupAt(deps, provider, request, format, deadlineMs, asker);
  for (const kind of pickKinds) {
    const step = await lookup.tryKind(kind);
    if (step === 'next') continue;
    return { ...lookup.state(), ...(step && { found: step }) };
  }
  return lookup.state();
}

type Found = NonNullable<InSlot['found']>;

/** One lookup at one provider. `next`: the pick is too small for this size, so that the larger one has to serve. */
function lookupAt(
  deps: FindInSlotDeps,
  provider: StockProvider,
  request: StockRequest,
  format: RenditionFormat,
  deadlineMs: number,
  asker: Asker,
) {
  const { candidates, picks, clock, telemetry } = deps;
  const orientation = orientationOf(request);
  const query = queryOf(provider, request);
  const requests = requestsOfLookup(asker);
  /** Candidates that this lookup has met and passed over. */
  const passed = new Set<string>();
  const broken: string[] = [];
  let asked = false;
  let failed = false;
  let supply: Supply | undefined;
  const writes: Promise<unknown>[] = [];

  /** `undefined` when the renderer failed. */
  const deliver = async (candidate: Candidate, anew = false): Promise<Delivered | undefined> => {
    try {
      return await deliverCandidate(deps, provider, candidate, request, { format, deadlineMs, anew });
    } catch (error) {
      reportNotRendered(telemetry, 'rendition', error, { provider: provider.name });
      failed = true;
      return undefined;
    }
  };

  const supplied = async (): Promise<Supply> => {
    supply ??= await candidates.supply(provider, query, requests, deadlineMs);
    asked ||= supply.asked;
    failed ||= supply.isStale || !supply.offer;
    return supply;
  };

  const offered = async (): Promise<readonly Candidate[]> => {
    const { offer } = await supplied();
    if (!offer) return [];
    const usable = candidates.usableIn(offer).filter(({ id }) => !passed.has(id));
    return rankCandidates(deps, provider, request, usable);
  };

  const freshUntilMs = (): number => {
    const staleUntilMs = clock.nowMs() + staleFreshForMs;
    return supply?.isStale ? staleUntilMs : (supply?.offer?.freshUntilMs ?? staleUntilMs);
  };

  const markBroken = async (): Promise<void> => {
    if (supply?.offer && broken.length > 0)
      await candidates.markUnusable(provider, query, supply.offer, broken);
  };

  /**
   * The first of some candidates that can be delivered, and the first that is not broken.
   * @param isPick whether the search ends at the first that is not broken, whatever the size
   */
  const firstOf = async (ordered: readonly Candidate[], isPick: boolean) => {
    let chosen: Candidate | undefined;
    let isCertain = true;
    for (const candidate of ordered) {
      const delivered = await deliver(candidate);
      if (!delivered) break;
      if (delivered.outcome === 'delivered')
        return { chosen: chosen ?? candidate, candidate, delivered, isCertain };
      if (delivered.outcome !== 'too-small') broken.push(candidate.id);
      else if (isPick) return { chosen: candidate, isCertain };
      if (delivered.outcome === 'unanswered') isCertain = false;
      passed.add(candidate.id);
      if (broken.length >= brokenMax) break;
    }
    return { chosen, isCertain };
  };

  const foundOf = (kind: PickKind, candidate: Candidate, delivered: DeliveredImage, keepUntilMs: number) => ({
    candidate,
    delivered,
    fit: fitOf(candidate, request.query),
    isOther: kind === 'larger',
    keepUntilMs,
  });

  /** Chooses among the candidates, and stores the choice. */
  const choose = async (
    key: string,
    kind: PickKind,
    replaced?: string,
  ): Promise<Found | 'next' | undefined> => {
    const ordered = await offered();
    const { chosen, isCertain, ...served } = await firstOf(
      kind === 'usual' ? ordered : largestFirst(ordered),
      kind === 'usual',
    );
    writes.push(markBroken());
    // Where a better image may answer later, the choice is not for good.
    const keepUntilMs = isCertain
      ? freshUntilMs()
      : Math.min(freshUntilMs(), clock.nowMs() + substituteFreshForMs);
    if (chosen && isCertain) writes.push(picks.keep(key, chosen, fitOf(chosen, request.query), keepUntilMs));
    if (chosen && isCertain && replaced !== undefined)
      writes.push(picks.countReplaced(key, provider.name, replaced));
    if (served.delivered) return foundOf(kind, served.candidate, served.delivered, keepUntilMs);
    if (!chosen || kind === 'larger') return undefined;
    passed.add(chosen.id);
    return 'next';
  };

  /** Another image for a while, where the server of the pick does not answer; the pick stays. */
  const substitute = async (): Promise<Found | undefined> => {
    const { candidate, delivered } = await firstOf(await offered(), false);
    writes.push(markBroken());
    const keepUntilMs = clock.nowMs() + substituteFreshForMs;
    return delivered && candidate && foundOf('larger', candidate, delivered, keepUntilMs);
  };

  const tryKind = async (kind: PickKind): Promise<Found | 'next' | undefined> => {
    const key = pickKey(provider.name, request, orientation, kind);
    const stored = await picks.find(key);
    if (!stored) return choose(key, kind);
    const { pick, ...checked } = await picks.check(provider, key, stored, requests, deadlineMs);
    asked ||= checked.asked;
    failed ||= checked.failed;
    if (!pick) return undefined;
    const { candidate } = pick;
    const delivered = await deliver(candidate, checked.isGone);
    if (!delivered) return undefined;
    passed.add(candidate.id);
    switch (delivered.outcome) {
      case 'delivered': {
        const { freshForMs } = provider.capability;
        const keepUntilMs = checked.isGone ? clock.nowMs() + freshForMs : checked.checkedUntilMs;
        if (checked.isGone) writes.push(picks.keep(key, candidate, pick.fit, keepUntilMs));
        return { ...foundOf(kind, candidate, delivered, keepUntilMs), fit: pick.fit };
      }
      case 'too-small':
        return kind === 'usual' ? 'next' : substitute();
      case 'unanswered':
        return substitute();
      case 'broken':
        broken.push(candidate.id);
        return choose(key, kind, candidate.id);
    }
  };

  const state = () => {
    const retryAtMs = supply?.retryAtMs;
    const { refusal } = requests;
    return {
      asked,
      failed,
      written: Promise.all(writes),
      ...(retryAtMs !== undefined && { retryAtMs }),
      ...(refusal && { refusal }),
    };
  };
  return { tryKind, state };
}

/** Candidates by their long side; those of unknown size come last. The order among equals stays. */
function largestFirst(ordered: readonly Candidate[]): readonly Candidate[] {
  const longSide = ({ widthPx = 0, heightPx = 0 }: Candidate) => Math.max(widthPx, heightPx);
  return [...ordered].sort((a, b) => longSide(b) - longSide(a));
}
