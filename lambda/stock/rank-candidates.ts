/** Orders the candidates whose licence a request allows, the one to be served first. */

import type { LicenseCondition } from '../contract/request-bounds';
import { isAttributionFree, isPublicDomain } from '../images/credit';
import { type Candidate, orientationOf } from '../images/image';
import type { License } from '../images/record';
import { pickIdOf } from './deliver-candidate';
import { inOrder } from './order';
import type { ProviderSearch } from './provider-request';
import type { Wish } from './score';

/** Candidates under another licence than the request allows are left out, and those that were removed. */
export function rankCandidates(
  { provider, request, subject }: ProviderSearch,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  const { seed, filters } = request;
  const allowed = candidates.filter(
    ({ id, attribution }) =>
      satisfies(attribution.license, filters.license) &&
      !request.removed?.includes(pickIdOf(provider.name, id)),
  );
  const avoid = [...new Set([...(filters.avoid ?? []), ...subject.avoid])];
  const wish: Wish = {
    subject,
    orientation: orientationOf(request),
    avoid,
    ...(filters.color !== undefined && { color: filters.color }),
    isRankedByRelevance: provider.capability.ranksByRelevance,
  };
  return inOrder(allowed, wish, seed);
}

/** Whether a licence meets a condition; without one every licence does. */
function satisfies(license: License, condition: LicenseCondition | undefined): boolean {
  switch (condition) {
    case undefined:
      return true;
    case 'public-domain':
      return isPublicDomain(license);
    case 'attribution-free':
      return isAttributionFree(license);
  }
}
