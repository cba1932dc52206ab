/** Finds the image of a request among the operator's own photographs. No provider is searched, and nothing is kept: the index says all there is. */

import type { Clock } from '../base/clock';
import { withDeadline } from '../base/deadline';
import { orLogged } from '../base/or-logged';
import type { Telemetry } from '../base/telemetry';
import { type Candidate, type Fit, orientationOf } from '../images/image';
import type { OwnPhotos } from '../requests/image-request';
import { type DeliverCandidateDeps, deliverCandidate } from './deliver-candidate';
import type { SelectedImage } from './find-at-provider';
import type { ProviderSearch, Search } from './provider-request';
import { rankCandidates } from './rank-candidates';
import { fitOf } from './score';
import type { StockProvider } from './stock-provider';

/** What photographs are searched with. */
interface SearchPhotosDeps {
  readonly providerOf: (photos: OwnPhotos) => StockProvider;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** What photographs are searched and delivered with. */
type FindAmongPhotosDeps = SearchPhotosDeps & DeliverCandidateDeps;

/** What the photographs of one owner offer for a search, which sends no provider a request. */
interface OfferedPhotos {
  readonly search: ProviderSearch;
  readonly candidates: readonly Candidate[];
}

/** What each owner's photographs offer that a request may show, the account's before everybody's. An index that cannot be read offers nothing. */
async function searchPhotos(
  { providerOf, clock, telemetry }: SearchPhotosDeps,
  search: Search,
): Promise<readonly OfferedPhotos[]> {
  const { request, subject, deadlineMs } = search;
  const query = { subject, orientation: orientationOf(request) };
  const offered: OfferedPhotos[] = [];
  for (const photos of request.photos ?? []) {
    const provider = providerOf(photos);
    const candidates = await orLogged(telemetry, 'The photographs of the operator were not searched', () =>
      withDeadline(clock, deadlineMs, (signal) => provider.search(query, signal)),
    );
    offered.push({ search: { ...search, provider, requestsMax: 0 }, candidates: candidates ?? [] });
  }
  return offered;
}

/** A photograph that fits a request, not yet in its size. */
export interface FittingPhoto {
  readonly search: ProviderSearch;
  /** The photographs of the same fit, best first; at least one. */
  readonly candidates: readonly Candidate[];
  readonly fit: Fit;
}

const fits: readonly Fit[] = ['exact', 'partial', 'loose'];
/** Files that one request may try. */
const triedMax = 4;

/** The photographs that fit best: of those that fit alike, the account's before everybody's. */
export async function findAmongPhotos(
  deps: FindAmongPhotosDeps,
  search: Search,
): Promise<FittingPhoto | undefined> {
  const { subject } = search;
  const fitting: FittingPhoto[] = [];
  for (const { search: among, candidates } of await searchPhotos(deps, search)) {
    const ranked = rankCandidates(among, candidates);
    const fit = ranked[0] && fitOf(ranked[0], subject);
    if (fit) {
      const alike = ranked.filter((candidate) => fitOf(candidate, subject) === fit);
      fitting.push({ search: among, candidates: alike, fit });
    }
  }
  return fitting.sort((a, b) => fits.indexOf(a.fit) - fits.indexOf(b.fit))[0];
}

/** The first of some photographs that can be delivered in the size of its request. @throws `NotClaimed` alone */
export async function deliverPhoto(
  deps: DeliverCandidateDeps & Pick<FindAmongPhotosDeps, 'clock'>,
  { search, candidates, fit }: FittingPhoto,
): Promise<SelectedImage | undefined> {
  for (const candidate of candidates.slice(0, triedMax)) {
    const delivered = await deliverCandidate(deps, search, candidate, false);
    const keepUntilMs = deps.clock.nowMs() + search.provider.capability.freshForMs;
    if (delivered.outcome === 'delivered') return { candidate, delivered, fit, isOther: false, keepUntilMs };
  }
  return undefined;
}
