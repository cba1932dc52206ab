/** Finds the image of a request among the operator's own photographs. No provider is searched, and nothing is kept: the index says all there is. */

import type { Clock } from '../base/clock';
import { withDeadline } from '../base/deadline';
import { orLogged } from '../base/or-logged';
import type { Telemetry } from '../base/telemetry';
import { orientationOf } from '../images/image';
import { type DeliverCandidateDeps, deliverCandidate } from './deliver-candidate';
import type { SelectedImage } from './find-at-provider';
import type { ProviderSearch } from './provider-request';
import { rankCandidates } from './rank-candidates';
import { coverageOf, fitOf } from './score';

/** What photographs are searched and delivered with. */
interface FindAmongPhotosDeps extends DeliverCandidateDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** Files that one request may try. */
const triedMax = 4;

/**
 * The photograph that fits best, or the next that fits alike and can be delivered in the size of the request.
 * An index that cannot be read is logged, and offers nothing.
 * @param isLooseWanted whether a loose one is delivered as well
 * @returns where the best is a loose one that was not wanted, the share of the subject that it covers, from 0 to 1
 * @throws `NotClaimed` alone
 */
export async function findAmongPhotos(
  deps: FindAmongPhotosDeps,
  search: ProviderSearch,
  isLooseWanted: boolean,
): Promise<{ readonly image?: SelectedImage; readonly looseCoverage?: number }> {
  const { provider, request, subject, deadlineMs } = search;
  const query = { subject, orientation: orientationOf(request) };
  const candidates = await orLogged(deps.telemetry, 'The photographs of the operator were not searched', () =>
    withDeadline(deps.clock, deadlineMs, (signal) => provider.search(query, signal)),
  );
  const ranked = rankCandidates(search, candidates ?? []);
  const [best] = ranked;
  if (!best) return {};
  const fit = fitOf(best, subject);
  if (fit === 'loose' && !isLooseWanted) return { looseCoverage: coverageOf(best, subject) };
  const alike = ranked.filter((candidate) => fitOf(candidate, subject) === fit);
  for (const candidate of alike.slice(0, triedMax)) {
    const delivered = await deliverCandidate(deps, search, candidate, false);
    const keepUntilMs = deps.clock.nowMs() + provider.capability.freshForMs;
    if (delivered.outcome === 'delivered') return { image: { candidate, delivered, fit, keepUntilMs } };
  }
  return {};
}
